"""Engines that are called or stepped by hand, against closed forms and against the scenes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import klast
import numpy as np
import pytest
from conftest import EXAMPLES
from klast import assembly, bodies, contact, dem, rocking

BLOCK = rocking.Block(0.5, 2.0)
ALPHA = math.atan(0.25)


def test_a_released_block_loses_what_housner_says() -> None:
    outcome = rocking.rock(BLOCK, duration_s=5.0, tilt_rad=0.1)
    impacts = outcome["events"][outcome["events"]["event"] == "impact"]
    names = impacts.dtype.names or ()
    before, after = (next(n for n in names if word in n) for word in ("before", "after"))
    ratio = impacts[after] / impacts[before]
    # Housner (1963): 1 - 3/2 sin² α.
    assert np.abs(ratio[:5] - (1.0 - 1.5 * math.sin(ALPHA) ** 2)).max() < 1e-12


def test_many_blocks_are_each_as_alone() -> None:
    wave = rocking.Motion.waves(1.0, 1.0)
    widths = np.linspace(0.3, 0.9, 7)[:, np.newaxis]
    scales = np.linspace(1.0, 12.0, 45)
    table = rocking.rock_many(widths, 2.0, motions=[wave], scale=scales, duration_s=10.0, follow=True)
    assert table.shape == (7, 45)
    alone = [
        rocking.rock_many(float(w), 2.0, motions=wave, scale=float(s), duration_s=10.0, follow=True)
        for w in widths[:2, 0]
        for s in scales[:9]
    ]
    assert all(np.array_equal(one, many) for one, many in zip(alone, table[:2, :9].reshape(-1)))
    for threads in (1, 3):
        again = rocking.rock_many(
            widths, 2.0, motions=[wave], scale=scales, duration_s=10.0, follow=True, threads=threads
        )
        assert again.tobytes() == table.tobytes()
    # A block does not move below g tan α: West's formula.
    below = scales < 9.81 * widths / 2.0
    assert (table["fate"][below] == 0).all()
    assert (table["fate"][~below] != 0).all()


def test_many_blocks_agree_with_one_followed_exactly() -> None:
    fates = set()
    for amplitude in (3.0, 4.0, 5.5, 8.0):
        wave = rocking.Motion.waves(amplitude, 1.2)
        one = rocking.rock(BLOCK, wave, duration_s=10.0)
        (many,) = rocking.rock_many([0.5], [2.0], motions=wave, duration_s=10.0, follow=True)
        overturned = one.summary["outcome"].startswith("overturned")
        fates.add(overturned)
        assert bool(many["overturned"]) == overturned
        if overturned:
            assert rocking.FATES[many["fate"]] == one.summary["outcome"]
        else:
            assert many["max_rotation_rad"] == pytest.approx(one.summary["max_rotation_rad"], rel=1e-8)
    assert fates == {True, False}


def test_a_motion_of_arrays_is_its_record(tmp_path: Path) -> None:
    t = np.arange(0.0, 2.0, 0.01)
    acceleration = 3.0 * np.sin(2.0 * math.pi * t)
    motion = rocking.Motion(acceleration, 0.01, unit="m_s2")
    a, v, d = motion.at(t)
    # The motion is over at its last sample.
    assert np.abs(a - acceleration)[:-1].max() < 1e-12 and a[-1] == 0.0
    # The trapezoidal sum is exact for what is straight between samples.
    assert np.abs(v[1:] - np.cumsum(0.005 * (acceleration[1:] + acceleration[:-1]))).max() < 1e-12
    assert motion.pga_m_s2 == pytest.approx(3.0, rel=1e-12)
    in_g = rocking.Motion(acceleration / 9.80665, 0.01, unit="g")
    assert np.abs(in_g.at(t)[0] - acceleration)[:-1].max() < 1e-12
    (tmp_path / "record.txt").write_text("".join(f"{x!r}\n" for x in acceleration.tolist()))
    from_file = rocking.Motion.from_file(tmp_path / "record.txt", unit="m_s2", step_s=0.01)
    assert all(np.array_equal(x, y) for x, y in zip(from_file.at(t), (a, v, d)))
    by_array = rocking.rock(BLOCK, motion, duration_s=3.0)
    scene = {
        "kind": "rocking",
        "block": BLOCK,
        "horizontal": {"kind": "record", "file": "record.txt", "unit": "m_s2", "step_s": 0.01},
        "duration_s": 3.0,
    }
    by_file = klast.run(scene, base=tmp_path)
    assert by_array.read("history.csv") == by_file.read("history.csv")


def test_at2_and_obspy(tmp_path: Path) -> None:
    values = [0.0, 0.01, -0.02, 0.015, 0.0]
    head = "PEER\nA RECORD\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  5, DT= .0100 SEC\n"
    (tmp_path / "a.AT2").write_text(head + "  ".join(f"{v:.7E}" for v in values) + "\n")
    record = rocking.Motion.from_at2(tmp_path / "a.AT2")

    class Stats:
        delta = 0.01

    class Trace:
        id = "XX.A"
        stats = Stats()
        data = np.array(values)

    class Stream:
        traces = [Trace(), Trace()]

    trace = rocking.Motion.from_obspy(Trace(), unit="g")
    t = np.linspace(0.0, 0.04, 9)
    assert np.abs(record.at(t)[0] - trace.at(t)[0]).max() < 1e-12
    with pytest.raises(ValueError, match="a Stream of 2 .*accepted: one Trace"):
        rocking.Motion.from_obspy(Stream(), unit="g")


def test_scenes_of_rocking_are_those_of_the_program() -> None:
    for name, call in {
        "rocking-fragility": lambda s: rocking.fragility(
            s["block"],
            s["motions"],
            s["scales"],
            duration_s=s["duration_s"],
            friction=s["friction"],
            both_polarities=True,
            restitution="housner",
        ),
        "assess": lambda s: rocking.assess(
            s["block"],
            s["motions"],
            s["limit_states"],
            target=s["target"],
            friction=0.5,
            restitution="housner",
            duration_s=s["duration_s"],
        ),
    }.items():
        scene = json.loads((EXAMPLES / f"{name}.json").read_text())
        whole = klast.run(EXAMPLES / f"{name}.json")
        called = call(scene)
        assert all(called.read(f) == whole.read(f) for f in whole.files), name


def test_a_map_and_a_stack() -> None:
    rows = rocking.axis("amplitude_over_lift_off", 0.5, 4.0, 8)
    columns = rocking.axis("omega_over_p", 0.5, 4.0, 8)
    outcome = rocking.rock_map(BLOCK, rows, columns, duration_s=5.0)
    assert outcome.summary["cells"] == 64
    lines = [line.split() for line in outcome.read("map.txt").decode().splitlines() if not line.startswith("#")]
    # Up to lift-off (a = g tan of the slenderness) nothing moves, whatever the frequency; above it everything does.
    for value, letters in lines:
        assert len(letters) == 8 and (set(letters) == {"."}) == (float(value) <= 1.0)
    assert set("".join(letters for _, letters in lines)) == set(".oRL")
    stack = rocking.Stack([[0.8, 3.0, 1.0], [0.8, 3.0, 1.0]])
    rocked = stack.rock(rocking.Motion.waves(5.0, 1.0), duration_s=2.0)
    assert "rotation_1_rad" in (rocked["history"].dtype.names or ())


def tower() -> bodies.World:
    world = bodies.World(step_s=2e-3)
    world.material("stone", friction=0.6, density_kg_m3=2700.0)
    world.add_plane([0, 0, 1], material="stone")
    for k in range(3):
        world.add(bodies.box([0.4, 0.4, 0.2]), material="stone", at_m=[0, 0, 0.1 + 0.2 * k], name=f"drum {k}")
    return world


def test_a_tower_stands_and_carries_its_weight() -> None:
    world = tower()
    positions, start = world.positions, world.positions.copy()
    world.step(n=50)
    assert positions is world.positions or np.shares_memory(positions, world.positions)
    assert np.abs(positions - start).max() < 1e-6
    assert world.time_s == pytest.approx(0.1, abs=1e-12)
    contacts = world.contacts
    on_plane = contacts[contacts["second"] == -1]
    weight = 9.81 * world.mass_kg.sum()
    # Over a step the plane gives the impulse of the weight, to the residual asked for.
    assert on_plane["impulse_n_s"][:, 2].sum() == pytest.approx(weight * 2e-3, rel=1e-6)
    assert world.residual <= 1e-6
    with pytest.raises(ValueError):
        world.positions[0, 0] = 1.0


def test_steps_are_those_of_the_scene() -> None:
    scene = json.loads((EXAMPLES / "bodies.json").read_text())
    scene.update(duration_s=0.2, frames=2)
    outcome = klast.run(scene)
    world = bodies.World.from_scene(scene)
    world.step(n=200)
    states = outcome["bodies"]
    last = states[states["time_s"] == states["time_s"].max()]
    assert last["time_s"][0] == world.time_s and len(last) == len(world)
    assert np.array_equal(np.stack([last[c] for c in ("x_m", "y_m", "z_m")], axis=1), world.positions)
    assert last["name"].tolist() == world.names
    # A snapshot goes on with the same bits.
    kept = world.snapshot()
    world.step(n=20)
    after = world.positions.copy()
    world.restore(kept)
    world.step(n=20)
    assert np.array_equal(world.positions, after)
    # So does a scene that was put together by hand.
    made = tower()
    by_hand = bodies.World.from_scene({**made.to_scene(1.0), "duration_s": 1.0})
    made.step(n=10)
    by_hand.step(n=10)
    assert np.array_equal(made.positions, by_hand.positions)


def test_loads_ties_and_removals_act_between_steps() -> None:
    world = bodies.World(step_s=2e-3)
    world.material("stone", friction=0.5, density_kg_m3=2500.0)
    world.add_plane([0, 0, 1], material="stone")
    weight = 2500.0 * 9.81
    for k in range(2):
        world.add(bodies.box([1, 1, 1]), material="stone", at_m=[2.0 * k, 0, 0.5], name=f"block {k}")
    # The second block slides at 0.5 W; what is beyond it, its tie carries. It slides in steps while the push grows, and
    # stays where it has come to: the tie carries up to the amplitude of its swing, 2 F'/ω, more.
    push = world.add_load("block 1", {"kind": "force", "force_n": [0.7 * weight, 0, 0]}, factors=[[0, 0], [0.5, 1]])
    tie = world.add_tie(("block 1", [2.0, 0, 0.5]), (None, [-4.0, 0, 0.5]), stiffness_n_per_m=1e7)
    world.step(n=1000)
    state = world.tie(tie)
    assert not state["broken"]
    swing = 2.0 * (0.7 * weight / 0.5) / math.sqrt(1e7 / 2500.0)
    carried = -state["force_n"][0]
    assert 0.2 * weight * (1 - 1e-3) < carried < 0.2 * weight + swing
    assert state["elongation_m"] == pytest.approx(carried / 1e7, rel=1e-3)
    world.end_load(push)
    world.cut_tie(tie)
    assert world.tie(tie)["broken"]
    # Water up to 1 m on a face of 1 m² pushes by ρ g h²/2 = 0.2 W, less than friction holds.
    moved = world.positions[1, 0]
    world.add_load("block 1", {"kind": "water", "level_m": 1.0, "face": [-1, 0, 0]})
    world.step(n=100)
    assert world.positions[1, 0] == pytest.approx(moved, abs=1e-5)
    world.remove("block 1")
    world.step(n=10)
    assert world.positions[0, 2] == pytest.approx(0.5, abs=1e-4)
    with pytest.raises(ValueError, match="body"):
        world.remove("block 7")
    with pytest.raises(ValueError, match="water"):
        world.add_load("block 0", {"kind": "wind"})


def test_removals_of_a_scene_come_due_in_steps() -> None:
    world = bodies.World(step_s=2e-3)
    world.material("stone", friction=0.5)
    world.add_plane([0, 0, 1], material="stone")
    for k in range(2):
        world.add(bodies.box([1, 1, 1]), material="stone", at_m=[0, 0, 0.5 + k], name=f"block {k}")
    world.remove("block 0", at_s=0.1)
    world.step(n=50)
    assert world.positions[1, 2] == pytest.approx(1.5, abs=1e-4)
    world.step(n=450)
    assert world.positions[1, 2] == pytest.approx(0.5, abs=1e-3)


def test_a_world_of_a_file_runs_with_its_files_and_its_seed(tmp_path: Path) -> None:
    (tmp_path / "push.txt").write_text("".join(f"{3.0 * math.sin(0.2 * k)!r}\n" for k in range(50)))
    push = {"kind": "record", "file": "push.txt", "unit": "m_s2", "step_s": 0.01}
    table = {"name": "table", "shape": bodies.box([2, 2, 0.1]), "at_m": [0, 0, -0.05]}
    stone = {"name": "stone", "shape": bodies.box([0.2, 0.1, 0.1]), "at_m": [0, 0, 0.2], "tumbled": True}
    scene = {
        "kind": "bodies",
        "materials": {"stone": {"friction": 0.5}},
        "bodies": [
            {**table, "material": "stone", "moved_by": {"kind": "shaken", "horizontal": push}},
            {**stone, "material": "stone"},
        ],
        "solver": {"step_s": 2e-3},
        "duration_s": 0.2,
        "seed": 1,
    }
    whole = klast.run(scene, base=tmp_path, seed=5)
    assert whole.read("bodies.csv") != klast.run(scene, base=tmp_path).read("bodies.csv")
    ran = bodies.World.from_scene(scene, base=tmp_path, seed=5).run(0.2)
    assert ran.seed == 5 and ran.read("bodies.csv") == whole.read("bodies.csv")


def test_a_thrown_body_falls() -> None:
    world = bodies.World(step_s=1e-3)
    world.material("stone", friction=0.5)
    world.add(bodies.ball(1.0), material="stone", at_m=[0, 0, 100.0], velocity_m_s=[3.0, 0, 0])
    world.step(n=1000)
    # θ = 1 falls by h t g / 2 farther than the parabola.
    assert world.positions[0] == pytest.approx([3.0, 0.0, 100.0 - 0.5 * 9.81 * (1.0 + 1e-3)], abs=1e-9)
    world.set_velocity(0, [0.0, 0.0, 1.0])
    assert world.velocities[0].tolist() == [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    world.step(dt_s=2e-3, n=5)
    assert world.time_s == pytest.approx(1.01, abs=1e-9)


def test_equal_masses_exchange_their_velocities() -> None:
    world = dem.World(step_s=1e-4, normal_stiffness_n_per_m=1e7, gravity_m_s2=(0, 0, 0))
    world.add(bodies.box([1, 1, 1]), density_kg_m3=1000.0)
    world.add(bodies.box([1, 1, 1]), density_kg_m3=1000.0, at_m=[1.01, 0, 0], velocity_m_s=[-1.0, 0, 0])
    before = sum(world.energy_j.values())
    world.step(1000)
    assert world.velocities[0, 0] == pytest.approx(-1.0, abs=1e-3)
    assert sum(world.energy_j.values()) == pytest.approx(before, rel=1e-6)
    assert world.stable_step_s > 1e-4 and world.warnings == []
    assert len(world.contacts) == 0


def row() -> assembly.Row:
    scene = json.loads((EXAMPLES / "assembly.json").read_text())["row"]
    return assembly.Row(**scene)


def test_a_row_is_that_of_the_crate() -> None:
    one = row()
    one.advance_to(1.0)
    # The doctest of the crate.
    assert abs(one.blocks["left_m"][0] - 0.10658092706874) < 1e-9
    assert abs(one.energy_residual) < 1e-12
    events = one.take_events()
    assert (np.diff(events["time_s"]) >= 0.0).all() and "impact" in events["event"]
    many = row()
    for k in range(1, 11):
        many.advance_to(0.1 * k)
    assert np.abs(many.blocks["left_m"] - one.blocks["left_m"]).max() < 1e-9


def test_one_contact_against_its_closed_form() -> None:
    # 2 kg that hit the ground at 1 m/s while sliding at 3 m/s, mu = 0.5: r = (2, -1, 0).
    solution = contact.solve(0.5 * np.eye(3), [-1.0, 3.0, 0.0], [0.5])
    assert solution.converged and np.abs(solution.impulses - [[2.0, -1.0, 0.0]]).max() < 1e-9
    assert np.abs(solution.velocities - [[0.0, 2.5, 0.0]]).max() < 1e-9


def test_dense_and_sparse_are_the_same_problem() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(7)
    n = 12
    jacobian = rng.normal(size=(3 * n, 4 * n))
    W = jacobian @ jacobian.T / n
    W[np.abs(W) < 0.3] = 0.0
    W = np.kron(np.eye(4), W[:9, :9] @ W[:9, :9].T)
    q, mu = rng.normal(size=(n, 3)), np.full(n, 0.4)
    dense = contact.solve(W, q, mu)
    for form in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array):
        other = contact.solve(form(W), q.reshape(-1), mu)
        assert np.array_equal(dense.impulses, other.impulses)
    assert dense.converged
    assert np.abs(dense.velocities.reshape(-1) - (W @ dense.impulses.reshape(-1) + q.reshape(-1))).max() < 1e-9
    r, u = dense.impulses, dense.velocities
    assert (r[:, 0] >= -1e-12).all() and (np.hypot(r[:, 1], r[:, 2]) <= 0.4 * r[:, 0] + 1e-9).all()
    assert np.abs(r[:, 0] * u[:, 0]).max() < 1e-8
    assert contact.residual(W, q, mu, r).relative == dense.residual.relative
    again = contact.solve(W, q, mu, start=r)
    assert again.iterations <= dense.iterations


def test_complementarity_problems() -> None:
    solution = contact.solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    # Murty (1988), example 1.1: z = (4/3, 7/3).
    assert solution.converged and np.abs(solution.z - [4.0 / 3.0, 7.0 / 3.0]).max() < 1e-12
    none = contact.solve_lcp([[-1.0]], [-1.0])
    assert none.status == "infeasible" and none.certificate is not None
    assert (none.certificate >= 0.0).all()
