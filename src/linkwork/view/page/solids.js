// Shapes of space as triangles and edges.
// A triangle corner has place, normal, colour: 9 numbers. An edge has both ends, the normals of both faces, colour, width
// and a flag: 0 drawn where it is an outline, 1 drawn where one of its faces is seen (a sharp edge), 2 always (a line).

const SHARP = Math.cos((32 * Math.PI) / 180);

class Solid {
  constructor() {
    this.corners = [];
    this.edges = [];
  }

  // faces are lists of vertices, counted so that they look outwards
  surface(places, faces, look) {
    const normals = faces.map((face) => normalOf(face.map((i) => places[i])));
    if (look.face && look.face !== 'none') this.triangles(places, faces, normals, rgbOf(toned(look.face)));
    const width = look.width ?? 1.1;
    if (!width) return;
    const color = rgbOf(toned(look.edge || INK));
    const met = new Map();
    faces.forEach((face, f) => face.forEach((a, i) => {
      const b = face[(i + 1) % face.length];
      const key = a < b ? a * places.length + b : b * places.length + a;
      const known = met.get(key);
      if (known) known.faces.push(f); else met.set(key, {a, b, faces: [f]});
    }));
    for (const {a, b, faces: own} of met.values()) {
      const first = normals[own[0]];
      const second = normals[own[1] ?? own[0]];
      const flag = own.length !== 2 || dot(first, second) < SHARP ? 1 : 0;
      if (a !== b) this.edges.push([places[a], places[b], first, second, color, 0.8 * width, flag]);
    }
  }

  // smooth where faces meet at a small angle
  triangles(places, faces, normals, color) {
    const around = places.map(() => []);
    faces.forEach((face, f) => face.forEach((i) => around[i].push(f)));
    faces.forEach((face, f) => {
      const smooth = face.map((i) => {
        let sum = [0, 0, 0];
        for (const other of around[i]) if (dot(normals[other], normals[f]) > SHARP) sum = plus(sum, normals[other]);
        return unit(sum);
      });
      for (let i = 1; i + 1 < face.length; i++) {
        for (const j of [0, i, i + 1]) this.corners.push(...places[face[j]], ...smooth[j], ...color);
      }
    });
  }

  line(places, look, point) {
    const color = rgbOf(toned(look.edge || INK));
    const width = look.width ?? 1.1;
    for (const piece of look.dash ? dashed(places, look.dash, point) : [places]) {
      for (let i = 0; i + 1 < piece.length; i++) this.edges.push([piece[i], piece[i + 1], [0, 0, 1], [0, 0, 1], color, width, 2]);
    }
  }

  // a shape of the scene whose vertices are known
  shape(shape, places, axes, point) {
    const radius = (shape.radius || 0) + (shape.size || 0) * point;
    if (shape.kind === 'ball') this.surface(...ball(places[0], radius), shape);
    else if (shape.kind === 'cylinder') this.surface(...cylinder(places[0], places[1], radius, shape.top ?? 1, shape.bore || 0), shape);
    else if (shape.kind === 'mesh') this.surface(places, shape.faces, shape);
    else if (shape.kind === 'area') this.surface(places, [places.map((_, i) => i)], shape);
    else if (shape.kind === 'circle') this.line(circle(places[0], turned(axes, shape.side || [0, 0, 1]), radius), shape, point);
    else this.line(places, shape, point);
  }
}

function normalOf(corners) {
  let sum = [0, 0, 0];
  corners.forEach((one, i) => { sum = plus(sum, cross(one, corners[(i + 1) % corners.length])); });
  const size = length(sum);
  return size > 0 ? times(sum, 1 / size) : [0, 0, 1];
}

const range = (count, act) => Array.from({length: count}, (_, i) => act(i));

function circle(at, across, radius) {
  const [, x, y] = basis(across);
  return range(73, (i) => plus(at, plus(times(x, radius * Math.cos(i * Math.PI / 36)), times(y, radius * Math.sin(i * Math.PI / 36)))));
}

function ball(at, radius) {
  const [rows, columns] = [12, 24];
  const places = [[0, 0, 1]];
  for (let r = 1; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const [polar, turn] = [(Math.PI * r) / rows, (2 * Math.PI * c) / columns];
      places.push([Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)]);
    }
  }
  places.push([0, 0, -1]);
  const ring = (r, c) => 1 + r * columns + (c % columns);
  const faces = [];
  for (let c = 0; c < columns; c++) {
    faces.push([0, ring(0, c), ring(0, c + 1)]);
    for (let r = 0; r < rows - 2; r++) faces.push([ring(r, c), ring(r + 1, c), ring(r + 1, c + 1), ring(r, c + 1)]);
    faces.push([places.length - 1, ring(rows - 2, c + 1), ring(rows - 2, c)]);
  }
  return [places.map((one) => plus(at, times(one, radius))), faces];
}

// a cylinder, a cone (`top` is the share of the radius at its end) or, with a bore, a tube
function cylinder(start, end, radius, top, bore, sides = 28) {
  const way = minus(end, start);
  const along = length(way) > 0 ? unit(way) : [0, 0, 1];
  const sizes = along.map(Math.abs);
  const other = [0, 0, 0];
  other[sizes.indexOf(Math.min(...sizes))] = 1;
  const x = unit(cross(along, other));
  const y = cross(along, x);
  const rim = range(sides, (i) => plus(times(x, Math.cos((2 * Math.PI * i) / sides)), times(y, Math.sin((2 * Math.PI * i) / sides))));
  const ring = (at, size) => rim.map((one) => plus(at, times(one, size)));
  const n = sides;
  const next = range(n, (i) => [i, (i + 1) % n]);
  if (top <= 0) return [[...ring(start, radius), end], [range(n, (i) => n - 1 - i), ...next.map(([a, b]) => [a, b, n])]];
  const walls = next.map(([a, b]) => [a, b, n + b, n + a]);
  const outer = [...ring(start, radius), ...ring(end, top * radius)];
  if (!bore) return [outer, [...walls, range(n, (i) => n - 1 - i), range(n, (i) => n + i)]];
  for (const [a, b] of next) {
    walls.push([2 * n + b, 2 * n + a, 3 * n + a, 3 * n + b], [b, a, 2 * n + a, 2 * n + b], [n + a, n + b, 3 * n + b, 3 * n + a]);
  }
  return [[...outer, ...ring(start, bore), ...ring(end, bore)], walls];
}

// the strokes of a dashed line; dashes are in points
function dashed(places, dash, point) {
  const ends = [0];
  for (let i = 1; i < places.length; i++) ends.push(ends[i - 1] + length(minus(places[i], places[i - 1])));
  const whole = ends[ends.length - 1];
  const pattern = dash.map((one) => one * point);
  const period = pattern.reduce((sum, one) => sum + one, 0);
  if (!(whole > 0) || !(period > 0) || whole / period > 2000) return [places];
  const at = (way) => {
    const i = Math.max(1, ends.findIndex((one) => one >= way - 1e-12 * whole));
    const share = (way - ends[i - 1]) / Math.max(ends[i] - ends[i - 1], 1e-300);
    return plus(places[i - 1], times(minus(places[i], places[i - 1]), share));
  };
  const found = [];
  for (let way = 0, k = 0; way < whole; way += pattern[k % pattern.length], k++) {
    if (k % 2) continue;
    const end = Math.min(way + pattern[k % pattern.length], whole);
    found.push([at(way), ...places.filter((_, i) => ends[i] > way && ends[i] < end), at(end)]);
  }
  return found;
}
