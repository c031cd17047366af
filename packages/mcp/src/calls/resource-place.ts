import { z } from "zod";
import type { ResourceName } from "../backend/tool-call.ts";

/** The last resource of a page. */
export type ResourcePlace = readonly [schema: string, name: string];

const place = z.tuple([z.string(), z.string()]);

/** Returns the cursor of the page after a resource. */
export function writePlace({ schema, name }: ResourceName): string {
  return Buffer.from(JSON.stringify([schema, name])).toString("base64url");
}

/** Reads a cursor; undefined for an invalid one. */
export function readPlace(cursor: string): ResourcePlace | undefined {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    return undefined;
  }
}

/** Whether a resource follows the place in the order of schema and name. */
export function isAfter(resource: ResourceName, [schema, name]: ResourcePlace): boolean {
  return resource.schema > schema || (resource.schema === schema && resource.name > name);
}
