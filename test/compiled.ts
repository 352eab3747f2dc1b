// For tests that start `assay` as a process with an environment of their own: where Node keeps the code that it compiled.
// Half of a short command's work is compiling. The folder is the tests' own, and `npm test` begins with an empty one.
const { NODE_COMPILE_CACHE } = process.env;

/** To be added to a child's environment. Node finds code there by its content, so that no change is missed. */
export const COMPILED: NodeJS.ProcessEnv = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
