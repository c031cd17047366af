import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { knownResources, type ResourceDescription } from "./backend/describe-resources.ts";
import type { ResourceName } from "./backend/tool-call.ts";
import type { Exchange } from "./calls/exchange.ts";
import { isAfter, readPlace, writePlace } from "./calls/resource-place.ts";
import { describeResource } from "./tools/describe-resource.ts";

const pageMax = 200;
const mimeType = "application/json";

/** The template of the addresses of resources. */
export const resourceTemplates = {
  resourceTemplates: [
    {
      uriTemplate: "rowhouse://schema/{schema}/{name}",
      name: "resource",
      title: "Table or view",
      description: "Fields, types, key, relations and your actions",
      mimeType,
    },
  ],
};

/**
 * Lists the resources that the caller may know, page by page.
 *
 * @throws ProtocolError for an invalid cursor
 */
export async function listMcpResources(
  exchange: Exchange,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? null : requirePlace(cursor);
  const visible = await visibleOf(exchange);
  const rest = visible.filter((resource) => after === null || isAfter(resource, after));
  const page = rest.slice(0, pageMax);
  const last = rest.length > pageMax ? page.at(-1) : undefined;
  exchange.rows = page.length;
  return {
    resources: page.map(({ schema, name }) => ({
      uri: uriOf({ schema, name }),
      name: `${schema}.${name}`,
      mimeType,
    })),
    ...(last === undefined ? {} : { nextCursor: writePlace(last) }),
  };
}

/** @throws ResourceNotFoundError for an address that does not exist, or not for the caller */
export async function readMcpResource(
  exchange: Exchange,
  uri: string,
): Promise<ReadResourceResult> {
  const asked = readUri(uri);
  if (asked !== undefined) exchange.resource = `${asked.schema}.${asked.name}`;
  const found = (await visibleOf(exchange)).find(
    ({ schema, name }) => schema === asked?.schema && name === asked.name,
  );
  if (found === undefined) throw new ResourceNotFoundError(uri);
  exchange.rows = 1;
  return {
    contents: [{ uri, mimeType, text: JSON.stringify(describeResource(found, "full")) }],
  };
}

function visibleOf({ parts }: Exchange): Promise<readonly ResourceDescription[]> {
  return knownResources(parts.backend.snapshots, parts.access.identity);
}

function uriOf({ schema, name }: ResourceName): string {
  return `rowhouse://schema/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`;
}

function readUri(uri: string): ResourceName | undefined {
  const [, schema, name] = /^rowhouse:\/\/schema\/([^/]+)\/([^/]+)$/.exec(uri) ?? [];
  if (schema === undefined || name === undefined) return undefined;
  try {
    return { schema: decodeURIComponent(schema), name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

function requirePlace(cursor: string): readonly [schema: string, name: string] {
  const place = readPlace(cursor);
  if (place === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor");
  return place;
}
