"use strict";
// The machine in 3D, drawn by WebGL from the data in the page; nothing is loaded from elsewhere.
(() => {
  const holder = document.getElementById("player");
  if (!holder) return;
  const scene = JSON.parse(document.getElementById("scene-data").textContent);
  const canvas = holder.querySelector("canvas");
  const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) { holder.classList.add("no-webgl"); return; }

  // ---- data ----
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const shorts = (text) => new Int16Array(bytes(text));
  const times = new Float64Array(bytes(scene.times));
  const packed = {
    position: shorts(scene.position), quaternion: shorts(scene.quaternion), nodes: shorts(scene.nodes),
    colour: new Uint8Array(bytes(scene.colour)), force: shorts(scene.force),
  };
  const bodyCount = scene.bodies.length, cableCount = scene.cables.length, nodeCount = scene.node_count;
  const place = (value, k) => scene.low[k] + ((value + 32767) / 65534) * scene.span[k];

  // ---- small vectors ----
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const times_ = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => { const n = Math.hypot(...a); return n > 0 ? times_(a, 1 / n) : [0, 0, 1]; };
  const mix = (a, b, s) => a + (b - a) * s;

  // ---- shaders ----
  const shader = (kind, text) => {
    const made = gl.createShader(kind);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    return made;
  };
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER, `
    attribute vec3 point, normal, colour; uniform mat4 view, model; uniform float lit; varying vec3 shade;
    void main() {
      vec3 n = normalize(mat3(model) * normal);
      float c = dot(n, normalize(vec3(-0.6, -0.35, 1.0)));
      float light = 0.42 + 0.65 * (0.35 * (0.5 + 0.5 * c) + 0.65 * max(c, 0.0));
      shade = colour * mix(1.0, light, lit);
      gl_Position = view * model * vec4(point, 1.0);
    }`));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER,
    "precision mediump float; varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }"));
  gl.linkProgram(program);
  gl.useProgram(program);
  const where = Object.fromEntries(["point", "normal", "colour"].map((n) => [n, gl.getAttribLocation(program, n)]));
  const uniform = Object.fromEntries(["view", "model", "lit"].map((n) => [n, gl.getUniformLocation(program, n)]));
  gl.enable(gl.DEPTH_TEST);
  const EYE4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

  const draw = (buffer, count, model, kind = gl.TRIANGLES, lit = 1) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    ["point", "normal", "colour"].forEach((name, k) => {
      gl.enableVertexAttribArray(where[name]);
      gl.vertexAttribPointer(where[name], 3, gl.FLOAT, false, 36, 12 * k);
    });
    gl.uniformMatrix4fv(uniform.model, false, model);
    gl.uniform1f(uniform.lit, lit);
    gl.drawArrays(kind, 0, count);
  };
  const filled = (list, use = gl.STATIC_DRAW) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), use);
    return { buffer, count: list.length / 9 };
  };
  const flat = (mesh) => {
    const list = [];
    for (const [a, b, c] of mesh.faces) {
      const [p, q, r] = [mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]];
      const n = unit(cross(sub(q, p), sub(r, p)));
      for (const corner of [p, q, r]) list.push(...corner, ...n, ...mesh.colour);
    }
    return filled(list);
  };
  const bodies = scene.bodies.map(flat), fixtures = scene.fixtures.map(flat), headMeshes = scene.heads.map(flat);
  const lines = (() => {
    const list = [], { first, last, step, height } = scene.floor;
    const line = (a, b) => [a, b].forEach((p) => list.push(...p, 0, 0, 1, ...scene.floor.colour));
    for (let i = first[0]; i <= last[0]; i++) line([i * step, first[1] * step, height], [i * step, last[1] * step, height]);
    for (let j = first[1]; j <= last[1]; j++) line([first[0] * step, j * step, height], [last[0] * step, j * step, height]);
    return filled(list);
  })();
  const moving = { buffer: gl.createBuffer(), list: new Float32Array(0), used: 0 };

  // ---- round things, rebuilt at every moment ----
  const reserve = (count) => {
    if (moving.list.length < moving.used + count) {
      const larger = new Float32Array(2 * (moving.used + count));
      larger.set(moving.list.subarray(0, moving.used));
      moving.list = larger;
    }
  };
  const SIDES = 8, RING = [...Array(SIDES + 1).keys()].map((k) => (2 * Math.PI * k) / SIDES);
  const tube = (start, end, r0, r1, colour) => {
    const z = unit(sub(end, start)), small = [0, 1, 2].reduce((a, b) => (Math.abs(z[b]) < Math.abs(z[a]) ? b : a));
    const x = unit(cross([0, 1, 2].map((k) => +(k === small)), z)), y = cross(z, x);
    reserve(SIDES * 54);
    const put = (p, n) => { moving.list.set([...p, ...n, ...colour], moving.used); moving.used += 9; };
    const around = RING.map((t) => add(times_(x, Math.cos(t)), times_(y, Math.sin(t))));
    for (let k = 0; k < SIDES; k++) {
      const [m, n] = [around[k], around[k + 1]];
      const corners = [[add(start, times_(m, r0)), m], [add(start, times_(n, r0)), n], [add(end, times_(n, r1)), n], [add(end, times_(m, r1)), m]];
      for (const c of [0, 1, 2, 0, 2, 3]) put(...corners[c]);
    }
  };

  // ---- a moment ----
  let now = times[0] || 0, isPlaying = false, speed = 1, hasForces = false;
  const moment = () => {
    let after = 1;
    while (after < times.length - 1 && times[after] < now) after++;
    const before = Math.max(0, Math.min(after - 1, times.length - 1));
    after = Math.min(after, times.length - 1);
    const gap = times[after] - times[before];
    return [before, after, gap > 0 ? Math.min(1, Math.max(0, (now - times[before]) / gap)) : 0];
  };
  const vector = (list, count, index, [before, after, share]) => {
    const at = (row, k) => list[(row * count + index) * 3 + k];
    return [0, 1, 2].map((k) => mix(at(before, k), at(after, k), share));
  };
  const pose = (index, m) => {
    const p = vector(packed.position, bodyCount, index, m).map(place);
    const at = (row, k) => packed.quaternion[(row * bodyCount + index) * 4 + k];
    let q = [0, 1, 2, 3].map((k) => mix(at(m[0], k), at(m[1], k), m[2]));
    const norm = Math.hypot(...q) || 1;
    const [w, x, y, z] = q.map((v) => v / norm);
    return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
      2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0, ...p, 1];
  };
  const node = (cable, k, m) => vector(packed.nodes, cableCount * nodeCount, cable * nodeCount + k, m).map(place);
  const cables = (m) => {
    for (let c = 0; c < cableCount; c++) {
      let start = node(c, 0, m);
      for (let k = 0; k < scene.element_counts[c]; k++) {
        const end = node(c, k + 1, m);
        const level = packed.colour[((m[2] < 0.5 ? m[0] : m[1]) * cableCount + c) * (nodeCount - 1) + k];
        const r = scene.radii[c] * (level === 255 ? 0.65 : 1);
        if (level !== 254) tube(start, end, r, r, scene.ramp[level]);  // 254: the cable is cut here
        start = end;
      }
      if (hasForces) arrow(start, vector(packed.force, cableCount, c, m));
    }
  };
  // blocks and drums keep their turn; a pulley swivels with its cable, which leaves its rim at a tangent
  const headPose = (group, cable, turn, m) => {
    const column = (k) => turn.map((row) => row[k]), z = column(2);
    let start = node(cable, 0, m), h = column(0);
    if (group.kind === "pulley") {
      const t = unit(sub(node(cable, 1, m), start)), up = dot(t, z), level = sub(t, times_(z, up)), n = Math.hypot(...level);
      if (n > 1e-9) h = times_(level, 1 / n);
      start = sub(start, times_(add(times_(h, -up), times_(z, n)), group.radius));
    }
    if (group.kind === "laid") {  // the first node is the inlet, a later one lies on the arc
      const t = sub(node(cable, 6, m), start), level = sub(t, times_(z, dot(t, z))), n = Math.hypot(...level);
      if (n > 1e-9) h = times_(level, 1 / n);
      start = add(start, times_(h, group.radius));
    }
    return [...h, 0, ...cross(z, h), 0, ...z, 0, ...start, 1];
  };
  const ties = (m) => {
    for (const tie of scene.ties) {
      const p = pose(tie.parent, m), q = pose(tie.child, m), [x, y, z] = tie.point;
      const start = [0, 1, 2].map((k) => p[12 + k] + p[k] * x + p[4 + k] * y + p[8 + k] * z);
      tube(start, q.slice(12, 15), scene.tie_radius, scene.tie_radius, scene.tie_colour);
    }
  };
  const arrow = (start, force) => {
    const along = times_(force, scene.force_length / 32767), length = Math.hypot(...along), r = 0.006 * scene.size;
    if (!(length > 2 * r)) return;
    const tip = add(start, along), neck = sub(tip, times_(along, Math.min(1, (8 * r) / length)));
    tube(start, neck, r, r, scene.force_colour);
    tube(neck, tip, 3 * r, 0, scene.force_colour);
  };

  // ---- the eye ----
  const eye = { turn: 0, lift: 0, distance: 1, target: scene.centre.slice() };
  const presets = { iso: [Math.atan2(-1.0, -0.62), 0.342], front: [-Math.PI / 2, 0], side: [0, 0], top: [-Math.PI / 2, 1.5698] };
  // corners of the box around the whole motion, the floor included
  const bottom = Math.min(scene.low[2], scene.floor.height), top = scene.low[2] + scene.span[2];
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [scene.low[0] + (k & 1) * scene.span[0],
    scene.low[1] + ((k >> 1) & 1) * scene.span[1], k & 4 ? top : bottom]);
  let chosen = "iso";  // the preset, until the reader moves the eye
  const axes = () => {
    const back = [Math.cos(eye.lift) * Math.cos(eye.turn), Math.cos(eye.lift) * Math.sin(eye.turn), Math.sin(eye.lift)];
    const right = unit([-Math.sin(eye.turn), Math.cos(eye.turn), 0]);
    return [right, cross(back, right), back];
  };
  const look = (name) => {
    chosen = name;
    [eye.turn, eye.lift] = presets[name];
    const [right, up, back] = axes(), box = canvas.getBoundingClientRect(), aspect = (box.width || 2) / (box.height || 1);
    eye.target = [0, 1, 2].map((k) => 0.5 * (corners[0][k] + corners[7][k]));
    eye.distance = 10 * scene.reach;
    // step back or forward until the box fills the picture, and shift to its middle there, as camera_for does for films
    for (let i = 0; i < 12; i++) {
      const seen = corners.map((c) => {
        const d = sub(c, eye.target), depth = eye.distance - dot(d, back);
        return [dot(d, right) / depth, dot(d, up) / depth];
      });
      const [low, high] = [Math.min, Math.max].map((f) => [0, 1].map((k) => f(...seen.map((p) => p[k]))));
      const shift = [0, 1].map((k) => 0.5 * (low[k] + high[k]) * eye.distance);
      eye.target = add(eye.target, add(times_(right, shift[0]), times_(up, shift[1])));
      eye.distance *= (1.15 * Math.max((high[0] - low[0]) / aspect, high[1] - low[1])) / (2 * Math.tan(0.25));
    }
    paint();
  };
  const view = () => {
    const [right, up, back] = axes();
    const from = add(eye.target, times_(back, eye.distance));
    const f = 1 / Math.tan(0.25), near = 0.01 * eye.distance, far = 12 * eye.distance, aspect = canvas.width / canvas.height;
    const rows = [times_(right, f / aspect), times_(up, f), times_(back, -1)];
    const t = rows.map((r) => -dot(r, from));
    const a = (far + near) / (far - near), b = (-2 * far * near) / (far - near);
    const cols = [];
    for (let k = 0; k < 3; k++) cols.push(rows[0][k], rows[1][k], a * rows[2][k], rows[2][k]);
    cols.push(t[0], t[1], a * t[2] + b, t[2]);
    return cols;
  };

  const readout = holder.querySelector(".readout"), slider = holder.querySelector("input[type=range]");
  const paint = () => {
    const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    const [w, h] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
    if (w && (canvas.width !== w || canvas.height !== h)) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...scene.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniform.view, false, view());
    draw(lines.buffer, lines.count, EYE4, gl.LINES, 0);
    const m = moment();
    bodies.forEach((mesh, k) => draw(mesh.buffer, mesh.count, pose(k, m)));
    fixtures.forEach((mesh) => draw(mesh.buffer, mesh.count, EYE4));
    scene.heads.forEach((group, g) => group.cables.forEach((c, i) =>
      draw(headMeshes[g].buffer, headMeshes[g].count, headPose(group, c, group.turns[i], m))));
    moving.used = 0;
    cables(m);
    ties(m);
    gl.bindBuffer(gl.ARRAY_BUFFER, moving.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, moving.list.subarray(0, moving.used), gl.DYNAMIC_DRAW);
    draw(moving.buffer, moving.used / 9, EYE4);
    const main = player.position();
    const shown = main ? `   ${scene.main}: ${main.map((v) => v.toFixed(3)).join(", ")} m` : "";
    readout.textContent = `t = ${now.toFixed(3)} s${shown}`;
  };

  // ---- time, shared with the figures ----
  const go = (time) => {
    now = Math.min(times[times.length - 1], Math.max(times[0], time));
    slider.value = now;
    for (const cursor of document.querySelectorAll(".cursor")) {
      const share = (now - +cursor.dataset.low) / (+cursor.dataset.high - +cursor.dataset.low);
      cursor.style.left = `${100 * (+cursor.dataset.left + share * +cursor.dataset.width)}%`;
      cursor.hidden = share < 0 || share > 1;
    }
    paint();
  };
  const player = {
    get time() { return now; }, set time(value) { go(value); },
    position(name = scene.main) {
      const k = scene.names.indexOf(name);
      if (k < 0) return null;
      const m = pose(k, moment()), c = scene.centres[k];
      return [0, 1, 2].map((i) => m[12 + i] + m[i] * c[0] + m[4 + i] * c[1] + m[8 + i] * c[2]);
    },
  };
  window.tautPlayer = player;
  let last = 0;
  const tick = (stamp) => {
    if (!isPlaying) return;
    const end = times[times.length - 1];
    go(now >= end ? times[0] : now + (speed * Math.min(100, stamp - last)) / 1000);
    last = stamp;
    if (now >= end) press(false);
    requestAnimationFrame(tick);
  };
  const button = holder.querySelector(".play");
  const press = (on) => {
    isPlaying = on;
    button.textContent = on ? "Pause" : "Play";
    if (!on) return;
    if (now >= times[times.length - 1]) go(times[0]);
    last = performance.now();
    requestAnimationFrame(tick);
  };
  button.addEventListener("click", () => press(!isPlaying));
  slider.addEventListener("input", () => { press(false); go(+slider.value); });
  holder.querySelector(".speed").addEventListener("change", (e) => { speed = +e.target.value; });
  const forces = holder.querySelector(".forces");
  if (forces) forces.addEventListener("change", () => { hasForces = forces.checked; paint(); });
  for (const b of holder.querySelectorAll("[data-look]")) b.addEventListener("click", () => look(b.dataset.look));
  for (const figure of document.querySelectorAll(".figure")) {
    figure.addEventListener("click", (e) => {
      const cursor = figure.querySelector(".cursor"), box = figure.getBoundingClientRect();
      const share = ((e.clientX - box.left) / box.width - +cursor.dataset.left) / +cursor.dataset.width;
      if (share >= 0 && share <= 1) { press(false); go(mix(+cursor.dataset.low, +cursor.dataset.high, share)); }
    });
  }

  // ---- mouse and fingers: one turns, two or the right button shift, the wheel comes nearer ----
  const down = new Map();
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("pointerdown", (e) => { down.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); });
  const up = (e) => down.delete(e.pointerId);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointermove", (e) => {
    if (!down.has(e.pointerId)) return;
    chosen = null;
    const [x, y] = down.get(e.pointerId), [dx, dy] = [e.clientX - x, e.clientY - y];
    down.set(e.pointerId, [e.clientX, e.clientY]);
    if (down.size > 1 || e.buttons & 2 || e.shiftKey) {
      const right = [-Math.sin(eye.turn), Math.cos(eye.turn), 0], step = eye.distance / canvas.clientHeight / 2;
      eye.target = add(add(eye.target, times_(right, -dx * step)), [0, 0, dy * step]);
    } else {
      eye.turn -= dx * 0.008;
      eye.lift = Math.min(1.57, Math.max(-1.57, eye.lift + dy * 0.008));
    }
    paint();
  });
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); chosen = null; eye.distance *= Math.exp(0.0012 * e.deltaY); paint(); }, { passive: false });
  new ResizeObserver(() => (chosen ? look(chosen) : paint())).observe(canvas);
  look("iso");
  go(times[0] || 0);
})();
