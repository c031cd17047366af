import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import {
  readConfig as adminApi,
  variableNames as adminApiNames,
} from "../../../apps/admin-api/src/config.ts";
import {
  readConfig as dataApi,
  variableNames as dataApiNames,
} from "../../../apps/data-api/src/config.ts";
import {
  readConfig as gateway,
  variableNames as gatewayNames,
} from "../../../apps/gateway/src/config.ts";
import {
  readConfig as workflowWorker,
  variableNames as workflowWorkerNames,
} from "../../../apps/workflow-worker/src/config.ts";

/** The repository's root, with a trailing slash. */
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** How each app reads its environment. */
const configOf = {
  gateway: { readConfig: gateway, variableNames: gatewayNames },
  "data-api": { readConfig: dataApi, variableNames: dataApiNames },
  "admin-api": { readConfig: adminApi, variableNames: adminApiNames },
  "workflow-worker": { readConfig: workflowWorker, variableNames: workflowWorkerNames },
} as const;
export type App = keyof typeof configOf;
export const apps = Object.keys(configOf) as App[];

/** Every variable that an app reads. */
export function variablesOf(app: App): readonly string[] {
  return configOf[app].variableNames;
}

/** Reads a file of this folder as text. */
export function readText(path: string): string {
  return readFileSync(`${root}infra/${path}`, "utf8");
}

/** Parses a YAML file with one document; merge keys (`<<`) are resolved. */
export function readYaml<Shape>(path: string): Shape {
  return parse(readText(path), { merge: true }) as Shape;
}

/** Parses a YAML file with several documents. */
export function readDocuments<Shape>(path: string): Shape[] {
  return parseAllDocuments(readText(path)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Shape;
  });
}

/**
 * The variables that an environment file sets (`NAME=value`), and those that it shows as a commented example
 * (`#NAME=value`).
 */
export interface EnvironmentFile {
  readonly set: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
}

/** Reads an example of an environment file. */
export function readEnvironmentFile(path: string): EnvironmentFile {
  const linesOf = (form: RegExp) =>
    Object.fromEntries(
      [...readText(path).matchAll(form)].map(([, name = "", value = ""]) => [name, value]),
    );
  return {
    set: linesOf(/^([A-Z][A-Z0-9_]+)=(.*)$/gm),
    optional: linesOf(/^#([A-Z][A-Z0-9_]+)=(.*)$/gm),
  };
}

/**
 * Returns the variables of an environment that the app does not know. The environment must contain everything that the
 * app requires.
 */
export function unknownVariables(app: App, environment: Readonly<Record<string, string>>) {
  configOf[app].readConfig(environment);
  return Object.keys(environment).filter((name) => !variablesOf(app).includes(name));
}
