/* Search in pages that are opened from disk. A browser starts no worker for a file: page; here a hidden frame plays the worker:
   the script runs in it, and messages are handed over as events. Elsewhere the browser's own workers are used. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.url = new URL(url, document.baseURI);
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.appendChild(this.frame);
      const scope = this.frame.contentWindow;
      // what the worker's script expects of its surroundings
      scope.postMessage = (data) => this.answer(data);
      scope.importScripts = (...urls) =>
        urls.reduce((before, next) => before.then(() => this.load(next)), Promise.resolve());
      this.ready = this.load(this.url);
    }

    load(url) {
      return new Promise((done, failed) => {
        const inside = this.frame.contentWindow.document;
        const script = inside.createElement("script");
        script.src = new URL(url, this.url).href;
        script.onload = done;
        script.onerror = failed;
        inside.documentElement.appendChild(script);
      });
    }

    answer(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }

    postMessage(data) {
      this.ready.then(() => {
        const scope = this.frame.contentWindow;
        scope.dispatchEvent(new scope.MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
