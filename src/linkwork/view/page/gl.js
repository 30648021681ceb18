// Triangles and edges by WebGL.

const FACES = `
attribute vec3 place, normal, color;
uniform mat3 turn, rows; uniform vec3 shift, light, tint, floorAxis; uniform vec2 centre, scale, pan, depth;
uniform float distance, reach, share, level, shade;
varying vec3 shown;
void main() {
  vec3 world = turn * place + shift;
  if (shade > 0.0) world -= floorAxis * (dot(world, floorAxis) - level);
  vec3 local = rows * world;
  float w = distance > 0.0 ? max(1.0 - local.z / distance, 0.05) : 1.0;
  gl_Position = vec4(scale * (local.xy - centre * w) + pan * w, distance > 0.0 ? depth.x * w + depth.y : -local.z / reach, w);
  vec3 out_ = turn * normal;
  vec3 towards = distance > 0.0 ? distance * vec3(rows[0].z, rows[1].z, rows[2].z) - world : vec3(rows[0].z, rows[1].z, rows[2].z);
  float lit = dot(out_, light) * (dot(out_, towards) < 0.0 ? -1.0 : 1.0);
  shown = shade > 0.0 ? tint : mix(color, tint, share) * (0.74 + 0.30 * max(lit, -0.4));
}`;
const EDGES = `
attribute vec3 first, second, left, right, color; attribute vec4 corner;
uniform mat3 turn, rows; uniform vec3 shift, tint; uniform vec2 centre, scale, pan, depth, size;
uniform float distance, reach, share;
varying vec3 shown;
vec4 seen(vec3 world) {
  vec3 local = rows * world;
  float w = distance > 0.0 ? max(1.0 - local.z / distance, 0.05) : 1.0;
  return vec4(scale * (local.xy - centre * w) + pan * w, (distance > 0.0 ? depth.x * w + depth.y : -local.z / reach) - 0.004 * w, w);
}
void main() {
  vec3 a = turn * first + shift, b = turn * second + shift, eye = vec3(rows[0].z, rows[1].z, rows[2].z);
  vec3 towards = distance > 0.0 ? distance * eye - a : eye;
  float l = dot(turn * left, towards), r = dot(turn * right, towards);
  bool drawn = corner.w > 1.5 || (corner.w > 0.5 ? l > 0.0 || r > 0.0 : (l > 0.0) != (r > 0.0));
  vec4 from = seen(a), to = seen(b);
  vec2 way = (to.xy / to.w - from.xy / from.w) * size;
  way = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
  float half_ = 0.5 * corner.z;
  vec2 aside = vec2(-way.y, way.x) * corner.y * half_ + way * (corner.x > 0.5 ? half_ : -half_) * 0.5;
  vec4 at = corner.x > 0.5 ? to : from;
  gl_Position = drawn ? at + vec4(2.0 * aside / size * at.w, 0.0, 0.0) : vec4(2.0, 2.0, 2.0, 1.0);
  shown = mix(color, tint, share);
}`;
const SHOWN = 'precision mediump float; varying vec3 shown; void main() { gl_FragColor = vec4(shown, 1.0); }';

class Gl {
  // browsers allow some sixteen contexts: drawings beyond the eighth are painted without
  static on(canvas) {
    if ((Gl.count ??= 0) >= 8) return null;
    const gl = canvas.getContext('webgl', {antialias: true});
    if (!gl) return null;
    Gl.count += 1;
    return new Gl(canvas, gl);
  }

  constructor(canvas, gl) {
    [this.canvas, this.gl] = [canvas, gl];
    this.faces = this.program(FACES, [['place', 3], ['normal', 3], ['color', 3]]);
    this.lines = this.program(EDGES, [['first', 3], ['second', 3], ['left', 3], ['right', 3], ['color', 3], ['corner', 4]]);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  program(vertex, attributes) {
    const {gl} = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, SHOWN]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text.startsWith('precision') ? text : `precision highp float;${text}`);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const {name} = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    const stride = 4 * attributes.reduce((sum, [, count]) => sum + count, 0);
    let at = 0;
    const places = attributes.map(([name, count]) => {
      at += 4 * count;
      return [gl.getAttribLocation(program, name), count, at - 4 * count];
    });
    return {program, uniforms, places, stride};
  }

  // Buffers of a solid, made or made again. What is far from the origin of its axes is given from a place nearby,
  // `from`: numbers of a graphics card have seven digits.
  upload(solid, from, old) {
    const {gl} = this;
    const found = old || {corners: gl.createBuffer(), edges: gl.createBuffer()};
    gl.bindBuffer(gl.ARRAY_BUFFER, found.corners);
    const corners = Float32Array.from(solid.corners, (value, i) => (i % 9 < 3 ? value - from[i % 9] : value));
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
    found.cornerCount = solid.corners.length / 9;
    const data = new Float32Array(solid.edges.length * 6 * 19);
    let at = 0;
    for (const [a, b, left, right, color, width, flag] of solid.edges) {
      for (const [which, side] of [[0, -1], [1, -1], [1, 1], [0, -1], [1, 1], [0, 1]]) {
        for (const end of [a, b]) for (let i = 0; i < 3; i++) data[at++] = end[i] - from[i];
        for (const part of [left, right, color]) for (const value of part) data[at++] = value;
        data[at++] = which; data[at++] = side; data[at++] = width; data[at++] = flag;
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, found.edges);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    found.edgeCount = solid.edges.length * 6;
    return found;
  }

  // `shared` are the values of the camera; each part has its buffers, turn, shift, tint and share
  render(shared, ratio, parts, floor) {
    const {gl} = this;
    const {width, height} = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const common = {...shared, size: [width / ratio, height / ratio]};
    if (floor) {
      gl.depthMask(false);
      for (const part of parts) if (part.body) this.draw(this.faces, part.buffers.corners, part.buffers.cornerCount, {...common, ...part.place, ...floor, shade: 1, share: 0});
      gl.depthMask(true);
    }
    for (const part of parts) this.draw(this.faces, part.buffers.corners, part.buffers.cornerCount, {...common, ...part.place, tint: part.tint, share: part.share, shade: 0, level: 0, floorAxis: [0, 0, 0]});
    for (const part of parts) this.draw(this.lines, part.buffers.edges, part.buffers.edgeCount, {...common, ...part.place, tint: part.tint, share: part.share});
  }

  draw({program, uniforms, places, stride}, buffer, count, values) {
    if (!count) return;
    const {gl} = this;
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (const [at, size, offset] of places) {
      if (at < 0) continue;
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
    }
    for (const [name, place] of Object.entries(uniforms)) {
      const value = values[name];
      if (typeof value === 'number') gl.uniform1f(place, value);
      else if (value.length === 2) gl.uniform2fv(place, value);
      else if (value.length === 3) gl.uniform3fv(place, value);
      else gl.uniformMatrix3fv(place, false, value);
    }
    gl.drawArrays(gl.TRIANGLES, 0, count);
    for (const [at] of places) if (at >= 0) gl.disableVertexAttribArray(at); // the other program has fewer
  }
}
