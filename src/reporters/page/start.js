// Shared parts of the page's scripts. They run one after the other in one function; nothing is fetched.
const $ = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement;
/** Told whenever the theme changes: what is drawn is drawn anew. */
const repaints = new Set();
/** Told whenever markup came out of a fold. */
const enliveners = new Set();
