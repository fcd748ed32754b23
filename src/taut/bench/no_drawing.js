// A WebGL that draws nothing: what remains of the seconds is what the page itself needs.
(() => {
  const real = HTMLCanvasElement.prototype.getContext;
  const strings = {7936: 'none', 7937: 'none', 7938: 'WebGL 2.0', 35724: 'WebGL GLSL ES 3.00'};
  const make = canvas => {
    const proto = WebGL2RenderingContext.prototype;
    const fixed = {
      canvas, drawingBufferWidth: 300, drawingBufferHeight: 150, drawingBufferColorSpace: 'srgb', unpackColorSpace: 'srgb',
      getParameter: p => strings[p] ?? (p === 3088 || p === 2978 ? new Int32Array([0, 0, canvas.width, canvas.height]) : 4096),
      getContextAttributes: () => ({alpha: true, antialias: true, depth: true, stencil: false, premultipliedAlpha: true}),
      getShaderPrecisionFormat: () => ({rangeMin: 127, rangeMax: 127, precision: 23}),
      getExtension: () => null, getSupportedExtensions: () => [], isContextLost: () => false, getError: () => 0,
      getProgramInfoLog: () => '', getShaderInfoLog: () => '', checkFramebufferStatus: () => 36053,
      getProgramParameter: (p, n) => n === 35714 || n === 35715 ? true : 0, getShaderParameter: () => true,
      getUniformLocation: () => ({}), getAttribLocation: () => -1, getUniformBlockIndex: () => 0,
      clientWaitSync: () => 37146, getSyncParameter: () => 37145, fenceSync: () => ({}),
    };
    const context = Object.create(proto);
    for (const name of Object.getOwnPropertyNames(proto)) {
      const found = Object.getOwnPropertyDescriptor(proto, name);
      if (name in fixed || name === 'constructor') continue;
      if (typeof found.value === 'function')
        Object.defineProperty(context, name, {value: name.startsWith('create') ? () => ({}) : () => undefined});
    }
    for (const [name, value] of Object.entries(fixed)) Object.defineProperty(context, name, {value, writable: true});
    return context;
  };
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    if (kind === 'webgl2' || kind === 'webgl') { this.__none ??= make(this); return this.__none; }
    return real.call(this, kind, ...more);
  };
})();
