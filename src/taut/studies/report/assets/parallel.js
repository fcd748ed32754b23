// Parallel coordinates: one line per run; drag along an axis to choose, click beside the axes to forget the choice.
(() => {
  const node = document.getElementById("parallel-data");
  if (!node) return;
  const data = JSON.parse(node.textContent), box = document.getElementById("parallel");
  const canvas = box.querySelector("canvas"), said = box.querySelector(".readout"), pen = canvas.getContext("2d");
  const names = data.names, rows = data.rows, brush = names.map(() => null);
  const top = 46, foot = 24, side = 70;
  let width, height, held = null;
  const place = (k) => side + (names.length > 1 ? k * (width - 2 * side) / (names.length - 1) : 0);
  const span = (k) => data.limits[k];
  const up = (k, v) => { const [a, b] = span(k); return height - foot - (height - foot - top) * (b > a ? (v - a) / (b - a) : 0.5); };
  const down = (k, y) => { const [a, b] = span(k); return a + (b - a) * (height - foot - y) / (height - foot - top); };
  const short = (v) => Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(2) : String(+v.toPrecision(4));
  const isIn = (row) => brush.every((b, k) => !b || (row[k] !== null && row[k] >= b[0] && row[k] <= b[1]));
  const colour = (row) => {
    const last = names.length - 1, [a, b] = span(last), s = row[last] === null ? 0 : (b > a ? (row[last] - a) / (b - a) : 0.5);
    return `hsl(${250 - 220 * s}, 75%, 45%)`;
  };
  const line = (row) => {
    pen.beginPath();
    let on = false;
    row.slice(0, names.length).forEach((v, k) => {
      if (v === null) { on = false; return; }
      if (on) pen.lineTo(place(k), up(k, v)); else pen.moveTo(place(k), up(k, v));
      on = true;
    });
    pen.stroke();
  };
  function draw() {
    const ratio = window.devicePixelRatio || 1;
    width = canvas.clientWidth; height = canvas.clientHeight;
    canvas.width = width * ratio; canvas.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const chosen = rows.filter(isIn), thin = rows.length > 500 ? 0.25 : 0.55;
    pen.lineWidth = 1;
    if (chosen.length < rows.length) { pen.globalAlpha = 0.12; pen.strokeStyle = "#999"; rows.forEach(line); }
    pen.globalAlpha = thin + (1 - thin) * Math.max(0, 1 - chosen.length / 100);
    chosen.forEach((row) => { pen.strokeStyle = colour(row); line(row); });
    pen.globalAlpha = 1;
    pen.font = "12px sans-serif"; pen.textAlign = "center"; pen.fillStyle = "#20242a";
    names.forEach((name, k) => {
      pen.strokeStyle = "#444"; pen.beginPath(); pen.moveTo(place(k), top); pen.lineTo(place(k), height - foot); pen.stroke();
      const text = name.length > 20 ? "…" + name.slice(-19) : name;
      pen.fillText(text, place(k), k % 2 ? 14 : 28);
      pen.fillText(data.levels[k] ? data.levels[k][data.levels[k].length - 1] : short(span(k)[1]), place(k), top - 4);
      pen.fillText(data.levels[k] ? data.levels[k][0] : short(span(k)[0]), place(k), height - 8);
      if (brush[k]) {
        pen.fillStyle = "rgba(180, 86, 28, 0.3)";
        pen.fillRect(place(k) - 7, up(k, brush[k][1]), 14, up(k, brush[k][0]) - up(k, brush[k][1]));
        pen.fillStyle = "#20242a";
      }
    });
    const first = chosen.slice(0, 12).map((row) => row[names.length]).join(", ");
    said.textContent = `${chosen.length} of ${rows.length} runs` + (chosen.length < rows.length && chosen.length ? `: ${first}${chosen.length > 12 ? ", …" : ""}` : "");
  }
  const at = (event) => {
    const r = canvas.getBoundingClientRect(), x = event.clientX - r.left;
    const k = names.findIndex((_, i) => Math.abs(place(i) - x) < 20);
    return [k, event.clientY - r.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [k, y] = at(event);
    if (k < 0) brush.fill(null); else { held = [k, y]; brush[k] = null; canvas.setPointerCapture(event.pointerId); }
    draw();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [k, from] = held, y = event.clientY - canvas.getBoundingClientRect().top;
    if (Math.abs(y - from) > 3) brush[k] = [down(k, Math.max(from, y)), down(k, Math.min(from, y))];
    draw();
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  window.addEventListener("resize", draw);
  draw();
})();
