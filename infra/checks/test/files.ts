import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { readConfig as adminApi } from "../../../apps/admin-api/src/config.ts";
import { readConfig as dataApi } from "../../../apps/data-api/src/config.ts";
import { readConfig as gateway } from "../../../apps/gateway/src/config.ts";
import { readConfig as workflowWorker } from "../../../apps/workflow-worker/src/config.ts";

/** The repository's root, with a slash at its end. */
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** How each app reads its environment. */
export const readConfigOf = {
  gateway,
  "data-api": dataApi,
  "admin-api": adminApi,
  "workflow-worker": workflowWorker,
} as const;
export type App = keyof typeof readConfigOf;
export const apps = Object.keys(readConfigOf) as App[];

/** A file of this folder, as text. */
export function readText(path: string): string {
  return readFileSync(`${root}infra/${path}`, "utf8");
}

/** A YAML file with one document; merge keys (`<<`) are followed. */
export function readYaml<Shape>(path: string): Shape {
  return parse(readText(path), { merge: true }) as Shape;
}

/** A YAML file with several documents. */
export function readDocuments<Shape>(path: string): Shape[] {
  return parseAllDocuments(readText(path)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Shape;
  });
}

/** The lines `NAME=value` of an environment file. */
export function readEnvironmentFile(path: string): Record<string, string> {
  const lines = readText(path).split("\n");
  const set = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    set.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/**
 * The variables of an environment that the app does not know. The app must take the environment as it is, with everything
 * it requires in it.
 */
export function unknownVariables(app: App, environment: Readonly<Record<string, string>>) {
  const config: object = readConfigOf[app](environment);
  return Object.keys(environment).filter((name) => !(name in config));
}
