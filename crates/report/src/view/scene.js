// A view in space: drag turns, shift and drag (or two fingers) moves, the wheel zooms after a click, the slider is time.
"use strict";
(() => {
  const bytes = (text) => Uint8Array.from(atob(text || ""), (c) => c.charCodeAt(0));
  const floats = (text) => new Float32Array(bytes(text).buffer);
  const VERTEX = `attribute vec3 p; attribute vec3 n; attribute vec3 c; uniform mat4 view; uniform vec3 at; uniform vec4 q; uniform float size; uniform vec4 corners;
    varying vec3 colour; varying vec3 normal; varying vec2 part;
    vec3 turn(vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
    void main() { normal = turn(n); colour = c; vec3 place = turn(p * size) + at;
      part = (place.xy - corners.xy) / (corners.zw - corners.xy); gl_Position = view * vec4(place, 1.0); }`;
  const FRAGMENT = `precision mediump float; varying vec3 colour; varying vec3 normal; varying vec2 part; uniform vec3 light;
    uniform sampler2D photo; uniform float draped; uniform float flatness; uniform float alpha;
    void main() { float l = abs(dot(normalize(normal), light)); float s = mix(0.38 + 0.62 * l, 1.0, flatness);
      bool over = draped > 0.5 && part.x >= 0.0 && part.x <= 1.0 && part.y >= 0.0 && part.y <= 1.0;
      vec3 own = over ? texture2D(photo, vec2(part.x, 1.0 - part.y)).rgb : colour;
      gl_FragColor = vec4(own * (over ? 0.5 + 0.5 * s : s), alpha); }`;
  const multiply = (a, b) => {
    const m = new Float32Array(16);
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) {
      let s = 0;
      for (let k = 0; k < 4; k++) s += a[4 * k + j] * b[4 * i + k];
      m[4 * i + j] = s;
    }
    return m;
  };
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

  const start = (figure) => {
    const data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
    const stage = figure.querySelector(".stage");
    const box = stage.appendChild(document.createElement("div"));
    box.className = "space-box";
    const canvas = box.appendChild(document.createElement("canvas"));
    canvas.className = "space";
    // Scale and north, over the view.
    const measure = box.appendChild(document.createElement("canvas"));
    measure.className = "measure";
    // The colours of the page; on paper it is light.
    let printing = false;
    const look = () => {
      const style = getComputedStyle(figure), colour = (name, light) => (printing ? light : style.getPropertyValue(name).trim());
      return { ink: colour("--ink", "#000000"), paper: colour("--paper", "#ffffff"), line: colour("--line", "#bbbbbb"), sky: colour("--sky", "#eef2f5") };
    };
    const part = (hex, k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", data.words);
    const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
    if (!gl) {
      stage.textContent = "This browser draws no WebGL: scene.gltf beside this page opens in other programs.";
      return;
    }
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    const place = (name) => gl.getUniformLocation(program, name);
    const u = Object.fromEntries(["view", "at", "q", "size", "light", "flatness", "alpha", "corners", "draped"].map((k) => [k, place(k)]));
    const attributes = ["p", "n", "c"].map((k) => gl.getAttribLocation(program, k));

    // Nine numbers a vertex: position, normal, colour.
    const buffer = (vertices) => {
      const b = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, b);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
      return { b, count: vertices.length / 9 };
    };
    const draw = (mesh, mode) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.b);
      attributes.forEach((a, k) => {
        gl.enableVertexAttribArray(a);
        gl.vertexAttribPointer(a, 3, gl.FLOAT, false, 36, 12 * k);
      });
      gl.drawArrays(mode, 0, mesh.count);
    };
    const solid = (mesh, colour) => {
      const p = floats(mesh.positions), t = new Uint32Array(bytes(mesh.triangles).buffer), own = mesh.colours ? bytes(mesh.colours) : null;
      const v = [], corner = (k) => [p[3 * k], p[3 * k + 1], p[3 * k + 2]];
      for (let k = 0; k < t.length; k += 3) {
        const [a, b, c] = [corner(t[k]), corner(t[k + 1]), corner(t[k + 2])];
        const n = unit(cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]));
        for (let j = 0; j < 3; j++) {
          const rgb = own ? [own[3 * t[k + j]], own[3 * t[k + j] + 1], own[3 * t[k + j] + 2]] : colour;
          v.push(...[a, b, c][j], ...n, rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);
        }
      }
      return buffer(v);
    };
    const meshes = new Map();
    const bodies = data.bodies.map((body) => {
      const key = `${body.mesh} ${body.colour}`;
      if (!meshes.has(key)) meshes.set(key, solid(data.meshes[body.mesh], body.colour));
      return { mesh: meshes.get(key), poses: floats(body.poses), alpha: body.alpha, oneSided: body.one_sided, draped: data.photo && data.photo.mesh === body.mesh };
    });
    // Dark, or in the colour of what shows through: a net.
    const outlines = new Map();
    const edges = (body) => {
      const rgb = body.alpha < 1 ? body.colour.map((c) => c / 255) : [0.16, 0.16, 0.18], key = `${body.mesh} ${rgb}`, mesh = data.meshes[body.mesh];
      if (!outlines.has(key)) {
        const p = floats(mesh.positions), v = [];
        for (const k of new Uint32Array(bytes(mesh.edges).buffer)) v.push(p[3 * k], p[3 * k + 1], p[3 * k + 2], 0, 0, 1, ...rgb);
        outlines.set(key, v.length ? buffer(v) : null);
      }
      return outlines.get(key);
    };
    data.bodies.forEach((body, k) => { bodies[k].outline = edges(body); });
    const lines = data.lines.map((line) => {
      const p = floats(line.points), c = bytes(line.colours), v = [];
      for (let k = 0; k + 2 < p.length; k += 3) v.push(p[k], p[k + 1], p[k + 2], 0, 0, 1, c[k] / 255, c[k + 1] / 255, c[k + 2] / 255);
      return { mesh: buffer(v), p, c, times: floats(line.times), size: line.size };
    });
    const arrows = data.arrows.length ? buffer(data.arrows.flatMap(({ from, to }) => [
      ...from, 0, 0, 1, 0.75, 0.1, 0.1, ...to, 0, 0, 1, 0.75, 0.1, 0.1])) : null;
    const ball = (rgb) => {
      const s = Math.SQRT1_2, at = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], v = [];
      for (const x of [0, 1]) for (const y of [2, 3]) for (const z of [4, 5]) {
        const n = unit([at[x][0], at[y][1], at[z][2]].map((k) => k * s));
        for (const k of [x, y, z]) v.push(...at[k], ...n, ...rgb);
      }
      return buffer(v);
    };
    const rock = ball([0.95, 0.45, 0.1]);

    // A picture over the ground, as large as the browser takes it; without one a single point stands in.
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([176, 168, 150, 255]));
    for (const [key, value] of [[gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
    gl.uniform4fv(u.corners, data.photo ? data.photo.corners : [0, 0, 1, 1]);
    let pictured = false;
    if (data.photo) {
      const picture = new Image();
      picture.onload = () => {
        const most = Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), 4096), scale = Math.min(1, most / Math.max(picture.width, picture.height));
        const paper = document.createElement("canvas");
        paper.width = Math.max(1, Math.round(picture.width * scale));
        paper.height = Math.max(1, Math.round(picture.height * scale));
        paper.getContext("2d").drawImage(picture, 0, 0, paper.width, paper.height);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, paper);
        pictured = true;
        render();
      };
      picture.src = data.photo.address;
    }

    const times = floats(data.times), last = times.length ? times[times.length - 1] : 0;
    const low = data.low, high = data.high, span = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    // What is seen at the start and at the end, or a part of its points.
    const seen = (() => {
      const found = [], take = (p, at, every) => {
        for (let k = 0; k + 2 < p.length; k += 3 * every) {
          const v = [p[k], p[k + 1], p[k + 2]], q = [at[3], at[4], at[5]], t = cross(q, v).map((x, j) => x + at[6] * v[j]), r = cross(q, t);
          found.push([0, 1, 2].map((j) => v[j] + 2 * r[j] + at[j]));
        }
      };
      for (const body of data.bodies) {
        const p = floats(data.meshes[body.mesh].positions), poses = floats(body.poses), every = Math.max(1, Math.round(p.length / 3000));
        for (const at of [poses.subarray(0, 7), poses.subarray(poses.length - 7)]) take(p, at, every);
      }
      for (const line of data.lines) { const p = floats(line.points); take(p, [0, 0, 0, 0, 0, 0, 1], Math.max(1, Math.round(p.length / 600))); }
      if (!found.length) for (let k = 0; k < 8; k++) found.push([0, 1, 2].map((j) => (k >> j & 1 ? high : low)[j]));
      return found;
    })();
    // As near as all of it allows, and in the middle of the window.
    const WIDE = Math.tan(0.33);
    const fit = (azimuth, elevation) => {
      const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
      const back = [ce * ca, ce * sa, se], right = [-sa, ca, 0], up = cross(back, right), [width, height] = size();
      const centre = [0, 0, 0];
      for (const axis of [back, right, up]) {
        const along = seen.map((p) => dot(p, axis)), [a, b] = [along.reduce((m, x) => Math.min(m, x)), along.reduce((m, x) => Math.max(m, x))];
        for (let j = 0; j < 3; j++) centre[j] += 0.5 * (a + b) * axis[j];
      }
      let far = 0;
      for (const p of seen) {
        const c = p.map((x, j) => x - centre[j]), across = Math.max(Math.abs(dot(c, up)), Math.abs(dot(c, right)) * height / width);
        far = Math.max(far, dot(c, back) + 1.08 * across / WIDE);
      }
      return { azimuth, elevation, far: far || span, centre };
    };
    let drawn = null;
    const size = () => {
      if (printing && drawn) return drawn;
      const width = stage.clientWidth || 600, most = Math.min(640, 0.72 * (window.innerHeight || 900));
      drawn = [width, Math.round(Math.min(Math.max(0.58 * width, 260), Math.max(most, 260)))];
      return drawn;
    };
    const home = fit(data.eye[0], data.eye[1]);
    let eye = { ...home, centre: home.centre.slice() }, time = 0, playing = false, active = false, forces = false;

    const camera = (width, height) => {
      const [sa, ca, se, ce] = [Math.sin(eye.azimuth), Math.cos(eye.azimuth), Math.sin(eye.elevation), Math.cos(eye.elevation)];
      const back = [ce * ca, ce * sa, se], right = [-sa, ca, 0], up = cross(back, right);
      const from = eye.centre.map((c, k) => c + eye.far * back[k]);
      const look = new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
        -dot(right, from), -dot(up, from), -dot(back, from), 1]);
      const f = 1 / WIDE, near = eye.far * 0.01 + 1e-3 * span, far = eye.far + 3 * span;
      const perspective = new Float32Array([f * height / width, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
      return { view: multiply(perspective, look), right, up, light: unit([back[0] - 0.55 * right[0], back[1] - 0.55 * right[1], back[2] + 0.7]) };
    };
    const pose = (poses, t) => {
      const count = poses.length / 7;
      if (count < 2) return poses;
      let k = 0, m = Math.min(count, times.length) - 1;
      while (m - k > 1) { const h = (k + m) >> 1; if (times[h] <= t) k = h; else m = h; }
      const s = Math.min(Math.max((t - times[k]) / (times[m] - times[k] || 1), 0), 1);
      const a = poses.subarray(7 * k, 7 * k + 7), b = poses.subarray(7 * m, 7 * m + 7);
      const sign = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
      const r = [0, 1, 2, 3, 4, 5, 6].map((j) => a[j] + s * ((j > 2 ? sign : 1) * b[j] - a[j]));
      const l = Math.hypot(r[3], r[4], r[5], r[6]) || 1;
      for (let j = 3; j < 7; j++) r[j] /= l;
      return r;
    };
    const along = (line, t) => {
      const times = line.times, n = times.length;
      if (!n || t > times[n - 1]) return n ? [...line.p.subarray(3 * n - 3, 3 * n)] : null;
      let k = 0, m = n - 1;
      while (m - k > 1) { const h = (k + m) >> 1; if (times[h] <= t) k = h; else m = h; }
      const s = m > k ? Math.min(Math.max((t - times[k]) / (times[m] - times[k] || 1), 0), 1) : 0;
      return [0, 1, 2].map((j) => line.p[3 * k + j] + s * (line.p[3 * m + j] - line.p[3 * k + j]));
    };

    let frames = 0;
    const render = () => {
      const ratio = Math.min(window.devicePixelRatio || 1, 2), [width, height] = size();
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.height = `${height}px`;
      }
      gl.viewport(0, 0, canvas.width, canvas.height);
      const { sky } = look();
      gl.clearColor(part(sky, 0), part(sky, 1), part(sky, 2), 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 1);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      const c = camera(width, height);
      gl.uniformMatrix4fv(u.view, false, c.view);
      gl.uniform3fv(u.light, c.light);
      const put = (at, q, size, flatness, alpha) => {
        gl.uniform3f(u.at, at[0], at[1], at[2]);
        gl.uniform4f(u.q, q[0], q[1], q[2], q[3]);
        gl.uniform1f(u.size, size);
        gl.uniform1f(u.flatness, flatness);
        gl.uniform1f(u.alpha, alpha);
      };
      const still = [0, 0, 0, 1], origin = [0, 0, 0];
      for (const clear of [false, true]) {
        if (clear) gl.enable(gl.BLEND); else gl.disable(gl.BLEND);
        gl.depthMask(!clear);
        for (const body of bodies) {
          if ((body.alpha < 1) !== clear) continue;
          const r = pose(body.poses, time), q = [r[3], r[4], r[5], r[6]];
          put(r, q, 1, 0, body.alpha);
          if (body.oneSided) gl.enable(gl.CULL_FACE);
          gl.uniform1f(u.draped, body.draped && pictured ? 1 : 0);
          draw(body.mesh, gl.TRIANGLES);
          gl.uniform1f(u.draped, 0);
          gl.disable(gl.CULL_FACE);
          if (body.outline && !body.oneSided) {
            put(r, q, 1, 1, 1);
            draw(body.outline, gl.LINES);
          }
        }
      }
      gl.depthMask(true);
      gl.disable(gl.BLEND);
      put(origin, still, 1, 1, 1);
      for (const line of lines) draw(line.mesh, gl.LINE_STRIP);
      if (arrows && forces) draw(arrows, gl.LINES);
      for (const line of lines) {
        const at = line.size > 0 ? along(line, time) : null;
        if (!at) continue;
        put(at, still, Math.max(line.size, 0.006 * eye.far), 0, 1);
        draw(rock, gl.TRIANGLES);
      }
      stage.dataset.frames = ++frames;
      measured(c, [width, height], ratio);
    };
    // A bar of a round length at the middle of what is seen, and where north is on a map.
    const measured = (c, [width, height], ratio) => {
      [measure.width, measure.height] = [canvas.width, canvas.height];
      const g = measure.getContext("2d"), { ink, paper } = look();
      g.scale(ratio, ratio);
      g.font = "13px system-ui, sans-serif";
      g.lineWidth = 2;
      g.lineJoin = "round";
      const plate = (x, y, w, h) => { g.globalAlpha = 0.8; g.fillStyle = paper; g.fillRect(x, y, w, h); g.globalAlpha = 1; g.fillStyle = ink; g.strokeStyle = ink; };
      const pixels = height / (2 * WIDE * eye.far), longest = 0.22 * width / pixels, decade = 10 ** Math.floor(Math.log10(longest));
      const length = [5, 2, 1].map((k) => k * decade).find((l) => l <= longest) || decade, long = length * pixels;
      const [value, unit] = length >= 1000 ? [length / 1000, "km"] : length >= 1 ? [length, "m"] : length >= 0.01 ? [length * 100, "cm"] : [length * 1000, "mm"];
      plate(10, height - 44, long + 24, 34);
      g.beginPath();
      g.moveTo(22, height - 24); g.lineTo(22, height - 18); g.lineTo(22 + long, height - 18); g.lineTo(22 + long, height - 24);
      g.stroke();
      g.textAlign = "center";
      g.fillText(`${Number(value.toPrecision(3))} ${unit}`, 22 + 0.5 * long, height - 28);
      stage.dataset.scale = `${long} ${length}`;
      if (!data.north) return;
      const [x, y] = [width - 40, 42], n = [c.right[1], -c.up[1]], l = Math.hypot(...n) || 1, [dx, dy] = [n[0] / l, n[1] / l];
      plate(x - 32, y - 32, 64, 64);
      g.beginPath();
      g.moveTo(x + 16 * dx, y + 16 * dy);
      g.lineTo(x - 14 * dx + 8 * dy, y - 14 * dy - 8 * dx);
      g.lineTo(x - 8 * dx, y - 8 * dy);
      g.lineTo(x - 14 * dx - 8 * dy, y - 14 * dy + 8 * dx);
      g.closePath();
      g.fill();
      g.fillText("N", x + 24 * dx, y + 24 * dy + 4.5);
      stage.dataset.north = `${dx} ${dy}`;
    };

    // Histories of the run with a mark at the time of the view.
    let chart = null;
    if (data.histories.length) {
      chart = stage.appendChild(document.createElement("canvas"));
      chart.className = "history";
      data.histories.forEach((h) => { h.t = floats(h.times); h.v = floats(h.values); });
    }
    const history = () => {
      if (!chart) return;
      const ratio = Math.min(window.devicePixelRatio || 1, 2), width = size()[0], height = 150;
      chart.width = width * ratio;
      chart.height = height * ratio;
      chart.style.height = `${height}px`;
      // Three figures, powers of ten as a reader writes them.
      const short3 = (v) => {
        const [m, e] = String(Number(v.toPrecision(3))).split("e");
        return e ? `${m}·10${e.replace("+", "").replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)])}` : m;
      };
      const g = chart.getContext("2d"), left = 66, right = 14, top = 28, foot = 26;
      g.scale(ratio, ratio);
      g.font = "13px system-ui, sans-serif";
      let [a, b] = [Infinity, -Infinity];
      for (const h of data.histories) for (const v of h.v) if (Number.isFinite(v)) { a = Math.min(a, v); b = Math.max(b, v); }
      if (!(b > a)) { a -= 1; b += 1; }
      const x = (t) => left + (width - left - right) * t / (last || 1), y = (v) => top + (height - top - foot) * (b - v) / (b - a);
      const { ink, line } = look();
      g.fillStyle = ink;
      g.strokeStyle = line;
      g.textAlign = "right";
      for (const v of [a, b]) { g.fillText(short3(v), left - 6, y(v) + 4); g.beginPath(); g.moveTo(left, y(v)); g.lineTo(width - right, y(v)); g.stroke(); }
      g.textAlign = "center";
      // Round times, four or more of them.
      const decade = 10 ** Math.floor(Math.log10(last || 1)), [short, unit] = last < 0.1 ? [1000, "ms"] : [1, "s"];
      const step = decade * [2, 1, 0.5, 0.2, 0.1].find((k) => (last || 1) / (k * decade) >= 3.5);
      for (let t = 0; t <= last * 1.0001; t += step) g.fillText(`${Number((t * short).toPrecision(6))} ${unit}`, Math.min(x(t), width - 24), height - 8);
      g.textAlign = "left";
      g.fillText(data.histories[0].axis, left, 16);
      for (const h of data.histories) {
        // A dark line is not seen on dark paper.
        const dark = part(look().paper, 0) < 0.5;
        g.strokeStyle = `rgb(${h.colour.map((x) => (dark ? Math.round(0.45 * x + 140) : x))})`;
        g.lineWidth = 1.4;
        g.beginPath();
        let pen = false;
        h.v.forEach((v, k) => { if (!Number.isFinite(v)) pen = false; else if (pen) g.lineTo(x(h.t[k]), y(v)); else { g.moveTo(x(h.t[k]), y(v)); pen = true; } });
        g.stroke();
      }
      g.strokeStyle = part(look().paper, 0) < 0.5 ? "#ff7b72" : "#c00000";
      g.beginPath();
      g.moveTo(x(time), top - 4);
      g.lineTo(x(time), height - foot);
      g.stroke();
    };

    const bar = stage.appendChild(document.createElement("div"));
    bar.className = "bar";
    const add = (name, set) => Object.assign(bar.appendChild(document.createElement(name)), set);
    let slider = null, told = null, button = null;
    const all = () => { render(); history(); };
    const set = (t) => {
      time = t;
      if (slider) { slider.value = t; told.textContent = `${t.toFixed(last < 1 ? 4 : 2)} s`; }
      all();
    };
    if (last > 0) {
      button = add("button", { type: "button", textContent: "Play" });
      slider = add("input", { type: "range", min: 0, max: last, step: last / 1000, value: 0, ariaLabel: "Time" });
      told = add("output", { textContent: "0 s" });
      slider.addEventListener("input", () => set(Number(slider.value)));
      let before = 0;
      // A run takes at least six seconds on the screen.
      const pace = Math.min(1, last / 6);
      const step = (now) => {
        if (!playing) return;
        const t = Math.min(time + pace * Math.min(now - before, 100) / 1000, last);
        before = now;
        set(t);
        if (t < last) requestAnimationFrame(step);
        else play(false);
      };
      const play = (on) => {
        playing = on;
        button.textContent = on ? "Pause" : "Play";
        before = performance.now();
        if (!on) return;
        // From the first frame, where the last is shown.
        if (time >= last) set(0);
        requestAnimationFrame(step);
      };
      button.addEventListener("click", () => play(!playing));
    }
    add("button", { type: "button", textContent: "Whole view" }).addEventListener("click", () => { eye = { ...home, centre: home.centre.slice() }; all(); });
    if (arrows) {
      const label = add("label", {}), check = label.appendChild(Object.assign(document.createElement("input"), { type: "checkbox" }));
      label.append(" contact forces at the end");
      check.addEventListener("change", () => { forces = check.checked; all(); });
    }
    if (data.legend.length) {
      const legend = stage.appendChild(document.createElement("div"));
      legend.className = "legend";
      for (const { colour, words } of data.legend) {
        const entry = legend.appendChild(document.createElement("span")), mark = entry.appendChild(document.createElement("i"));
        mark.style.background = `rgb(${colour})`;
        entry.append(words);
      }
    }

    let held = null;
    const fingers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      active = true;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      held = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held || !fingers.has(event.pointerId)) return;
      const [dx, dy] = [event.clientX - held[0], event.clientY - held[1]];
      held = [event.clientX, event.clientY];
      if (event.shiftKey || event.buttons === 2 || fingers.size > 1) {
        const c = camera(1, 1), s = 0.68 * eye.far / canvas.clientHeight;
        for (let k = 0; k < 3; k++) eye.centre[k] += s * (dy * c.up[k] - dx * c.right[k]);
      } else {
        eye.azimuth -= 0.008 * dx;
        eye.elevation = Math.min(Math.max(eye.elevation + 0.008 * dy, -1.5), 1.55);
      }
      render();
    });
    const drop = (event) => { fingers.delete(event.pointerId); held = null; };
    canvas.addEventListener("pointerup", drop);
    canvas.addEventListener("pointercancel", drop);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerleave", () => { active = false; });
    canvas.addEventListener("wheel", (event) => {
      if (!active && !event.ctrlKey) return;
      event.preventDefault();
      eye.far = Math.min(Math.max(eye.far * Math.exp(0.0012 * event.deltaY), 0.02 * span), 8 * span);
      render();
    }, { passive: false });
    window.addEventListener("resize", all);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", all);
    // On paper the picture stays as large as it was, in the colours of paper.
    for (const [event, on] of [["beforeprint", true], ["afterprint", false]]) window.addEventListener(event, () => { printing = on; if (dark.matches) all(); });
    set(0);
  };
  document.querySelectorAll("figure.scene").forEach(start);
})();
