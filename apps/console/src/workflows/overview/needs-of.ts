import { writeJson } from "@rowhouse/client";
import { walkSteps } from "../model/branches.ts";
import { type Definition, fieldOf, kindOf } from "../model/definition.ts";

/** What must exist before a workflow can run. */
export interface ExampleNeeds {
  /** Names with their schema, `public.orders`. */
  readonly tables: readonly string[];
  readonly secrets: readonly string[];
  /** Hosts to which it sends requests. */
  readonly hosts: readonly string[];
}

const fileKinds: ReadonlySet<string> = new Set(["readFile", "storeFile", "renderDocument"]);

/** Returns what a definition names: tables, secrets and hosts, each once and in the order of the steps. */
export function needsOf(definition: Definition): ExampleNeeds {
  const tables = new Set<string>();
  const hosts = new Set<string>();
  const parts = [
    fieldOf(definition, "trigger"),
    ...[...walkSteps(definition, [])].map(({ step }) => step),
  ];
  for (const part of parts) {
    const [table, schema] = [fieldOf(part, "table"), fieldOf(part, "schema")];
    if (typeof table === "string") {
      tables.add(`${typeof schema === "string" ? schema : "public"}.${table}`);
    }
    if (fileKinds.has(kindOf(part))) tables.add("system.files");
    const host = /^https:\/\/([a-z0-9.-]+)/.exec(String(fieldOf(part, "url") ?? ""))?.[1];
    if (host !== undefined) hosts.add(host);
  }
  const secrets = writeJson(definition).matchAll(/\{\{secrets\.([A-Z0-9_]+)/g);
  return {
    tables: [...tables],
    secrets: [...new Set(Array.from(secrets, ([, name = ""]) => name))],
    hosts: [...hosts],
  };
}
