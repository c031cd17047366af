import type { VariableValues } from "./read-yaml.ts";

/** What the worker thread receives. Its answer has a result for each text. */
export interface YamlRequest {
  readonly texts: readonly string[];
  readonly variables: VariableValues;
}

/**
 * The program of the worker thread that reads YAML. A bundle puts it beside its own program (`scripts/bundle.mjs`). The sources
 * have none: Node.js 20 cannot run them.
 */
export const workerUrl: URL | undefined = import.meta.url.endsWith(".ts")
  ? undefined
  : new URL("./yaml-worker.js", import.meta.url);
