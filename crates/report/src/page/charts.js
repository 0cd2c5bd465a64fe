// Charts: values under the pointer, a wheel or a drag to zoom, a double click to see all, the key to hide a line.
"use strict";
(() => {
  const numbers = (s) => s.split(" ").map(Number);
  const words = (v) => {
    const size = Math.abs(v);
    if (size === 0) return "0";
    if (size >= 1e-3 && size < 1e7) return String(Number(v.toPrecision(5)));
    return v.toExponential(2);
  };
  const ticks = (low, high, most) => {
    const least = (high - low) / most, decade = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((k) => k * decade).find((s) => s >= least);
    const found = [];
    for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
    return found;
  };
  for (const svg of document.querySelectorAll("svg.chart")) {
    const area = svg.querySelector("svg.area");
    if (!area || !svg.dataset.area) continue;
    const [left, top, width, height] = numbers(svg.dataset.area);
    const [x0, x1, xlog] = numbers(svg.dataset.x), [y0, y1, ylog] = numbers(svg.dataset.y);
    const paper = svg.closest(".paper") || svg.parentNode;
    const original = svg.querySelector("g.ticks");
    let box = [0, 0, width, height], drawn = null;
    const at = (px, py) => {
      const u = (box[0] + px / width * box[2]) / width, v = 1 - (box[1] + py / height * box[3]) / height;
      const x = x0 + u * (x1 - x0), y = y0 + v * (y1 - y0);
      return [xlog ? 10 ** x : x, ylog ? 10 ** y : y];
    };
    const place = (event) => {
      const r = svg.getBoundingClientRect(), s = svg.viewBox.baseVal.width / r.width;
      return [(event.clientX - r.left) * s - left, (event.clientY - r.top) * s - top];
    };
    const inside = ([px, py]) => px >= 0 && py >= 0 && px <= width && py <= height;
    const make = (name, attributes, parent) => {
      const e = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const k in attributes) e.setAttribute(k, attributes[k]);
      return parent.appendChild(e);
    };
    const show = () => {
      area.setAttribute("viewBox", box.join(" "));
      if (drawn) drawn.remove();
      const whole = box[2] > 0.999 * width && box[3] > 0.999 * height;
      original.style.display = whole ? "" : "none";
      drawn = null;
      if (whole) return;
      drawn = make("g", { class: "zoomed" }, svg);
      const [u0, u1] = [box[0] / width, (box[0] + box[2]) / width], [v1, v0] = [1 - box[1] / height, 1 - (box[1] + box[3]) / height];
      const [a, b] = [x0 + u0 * (x1 - x0), x0 + u1 * (x1 - x0)], [c, d] = [y0 + v0 * (y1 - y0), y0 + v1 * (y1 - y0)];
      const label = (v, log) => words(log ? 10 ** v : v);
      for (const t of ticks(a, b, 6)) {
        const px = left + (t - a) / (b - a) * width;
        make("path", { d: `M${px} ${top + height}v5`, stroke: "#222" }, drawn);
        make("text", { x: px, y: top + height + 19, "text-anchor": "middle", "font-size": 13, fill: "#222" }, drawn).textContent = label(t, xlog);
      }
      for (const t of ticks(c, d, 6)) {
        const py = top + height - (t - c) / (d - c) * height;
        make("path", { d: `M${left} ${py}h-5`, stroke: "#222" }, drawn);
        make("text", { x: left - 8, y: py + 4.5, "text-anchor": "end", "font-size": 13, fill: "#222" }, drawn).textContent = label(t, ylog);
      }
    };
    const readout = document.createElement("span");
    readout.className = "readout";
    readout.hidden = true;
    paper.appendChild(readout);
    let grabbed = null;
    svg.addEventListener("pointermove", (event) => {
      const p = place(event);
      if (grabbed) {
        box[0] = Math.min(Math.max(grabbed.box[0] - (p[0] - grabbed.p[0]) / width * box[2], 0), width - box[2]);
        box[1] = Math.min(Math.max(grabbed.box[1] - (p[1] - grabbed.p[1]) / height * box[3], 0), height - box[3]);
        show();
      }
      readout.hidden = !inside(p);
      if (readout.hidden) return;
      const [x, y] = at(...p), r = paper.getBoundingClientRect();
      readout.textContent = `${words(x)}, ${words(y)}`;
      readout.style.left = `${event.clientX - r.left + paper.scrollLeft + 12}px`;
      readout.style.top = `${event.clientY - r.top + 10}px`;
    });
    svg.addEventListener("pointerleave", () => { readout.hidden = true; grabbed = null; });
    svg.addEventListener("pointerdown", (event) => {
      const p = place(event);
      if (inside(p) && box[2] < width) grabbed = { p, box: box.slice() };
    });
    window.addEventListener("pointerup", () => { grabbed = null; });
    svg.addEventListener("wheel", (event) => {
      const p = place(event);
      if (!inside(p) || !(event.ctrlKey || event.shiftKey || box[2] < width)) return;
      event.preventDefault();
      const f = Math.exp(0.0015 * (event.deltaY || event.deltaX)), w = Math.min(Math.max(box[2] * f, width / 500), width);
      const h = height * w / width, ux = p[0] / width, uy = p[1] / height;
      box[0] = Math.min(Math.max(box[0] + ux * (box[2] - w), 0), width - w);
      box[1] = Math.min(Math.max(box[1] + uy * (box[3] - h), 0), height - h);
      box[2] = w;
      box[3] = h;
      show();
    }, { passive: false });
    svg.addEventListener("dblclick", (event) => {
      const p = place(event);
      if (box[2] < width || !inside(p)) box = [0, 0, width, height];
      else {
        box = [Math.min(Math.max(p[0] - width / 8, 0), 0.75 * width), Math.min(Math.max(p[1] - height / 8, 0), 0.75 * height), width / 4, height / 4];
      }
      show();
    });
    for (const key of svg.querySelectorAll(".key[data-series]")) {
      key.addEventListener("click", () => {
        const line = area.querySelector(`g[data-series="${key.dataset.series}"]`);
        if (!line) return;
        line.style.display = line.style.display ? "" : "none";
        key.style.opacity = line.style.display ? 0.35 : 1;
      });
    }
  }
})();
