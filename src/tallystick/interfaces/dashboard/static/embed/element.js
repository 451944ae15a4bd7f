/** The base class of the elements: requests, styles and updates. */

import { html, render } from "../html.js";
import { Source } from "./source.js";
import { stylesOf } from "./styles.js";

const COLLECT_MILLISECONDS = 150;
/** Entries that arrive within this time cause one reload. */

/**
 * An element over REST. Attributes: `server`, `journal`, `execution`, `theme`. The token is a property, so that it is not
 * part of the markup. A subclass defines what it loads, which entries are relevant, and how it is drawn.
 */
export class TallystickElement extends HTMLElement {
  static observedAttributes = ["server", "journal", "execution", "theme"];
  /** @type {string[]} */
  static styles = [];

  #token = "";
  #timer = 0;
  #stop = () => {};
  #abort = new AbortController();
  /** @type {{data: any, problem: any, live: boolean}} */
  #state = { data: null, problem: null, live: false };

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
  }

  get token() {
    return this.#token;
  }

  set token(value) {
    this.#token = String(value ?? "");
    if (this.isConnected) this.#start();
  }

  get source() {
    return new Source({ server: this.getAttribute("server") ?? "", journal: this.getAttribute("journal") ?? "", token: this.#token });
  }

  get execution() {
    return this.getAttribute("execution") ?? "";
  }

  connectedCallback() {
    const names = ["tokens", "base", "components", "values", "forms", ...(/** @type {any} */ (this.constructor).styles), "embed"];
    void stylesOf(names).then((sheets) => this.shadowRoot && (this.shadowRoot.adoptedStyleSheets = sheets));
    this.#start();
  }

  disconnectedCallback() {
    this.#stop();
    this.#abort.abort();
    clearTimeout(this.#timer);
    if (this.shadowRoot) render(null, this.shadowRoot);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (name === "theme") this.toggleAttribute("data-theme", false), after && this.setAttribute("data-theme", after);
    else if (this.isConnected && before !== after) this.#start();
  }

  /** Load again now. */
  reload = async () => {
    clearTimeout(this.#timer);
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    try {
      const data = await this.load(this.source, abort.signal);
      if (!abort.signal.aborted) this.#put({ data, problem: null });
    } catch (problem) {
      if (!abort.signal.aborted) this.#put({ problem });
    }
  };

  /** @param {Source} _source @param {AbortSignal} _signal @returns {Promise<any>} the argument of `draw` */
  async load(_source, _signal) {
    return null;
  }

  /** @param {any} _entry @returns {boolean} whether a new entry changes the content */
  isRelevant(_entry) {
    return true;
  }

  /** @param {any} _data */
  draw(_data) {
    return null;
  }

  #start() {
    this.#stop();
    this.#put({ data: null, problem: null });
    if (this.source.waits) return;
    void this.reload();
    this.#stop = this.source.follow(
      (entry) => this.isRelevant(entry) && this.#soon(),
      (live) => (this.#put({ live }), live && this.#soon()),
    );
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(this.reload, COLLECT_MILLISECONDS);
  }

  /** @param {Partial<{data: any, problem: any, live: boolean}>} change */
  #put(change) {
    this.#state = { ...this.#state, ...change };
    const { data, problem } = this.#state;
    if (!this.shadowRoot) return;
    render(html`<div class="embedded">
      ${problem && html`<p class="problem" role="alert">${problem.message} ${problem.hint}</p>`}
      ${data ? this.draw(data) : !problem && html`<p class="loading" role="status">Loading…</p>`}
    </div>`, this.shadowRoot);
  }
}
