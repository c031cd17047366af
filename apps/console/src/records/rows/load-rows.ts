import { writeName } from "@rowhouse/access/written-name";
import type { Page } from "@rowhouse/client";
import { client } from "../../shell/client.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { addressOf, keyOf, keysFilter, type Row, type RowKey } from "../model/resource.ts";
import type { GridRow, LoadRows, RowPage } from "./row-store.ts";
import { findUnreadable, isUncomputable } from "./unreadable-fields.ts";

/** Which rows a grid shows. */
export interface RowsRequest {
  readonly resource: NavigationResource;
  readonly fields: readonly string[];
  readonly where: Readonly<Record<string, unknown>> | undefined;
  readonly orderBy: string | undefined;
  readonly search: string | undefined;
  /** Rows before the first one that is shown. */
  readonly start?: number;
}

/** Rows of one page: few enough to be painted at once, many enough that a scroll rarely waits. */
const pageSize = 100;
/** Rows that are read by their keys in one request, so that their filter fits into a URL. */
const keysMax = 50;

/** Returns the options of a list without those that are not chosen. */
function listOptions({ fields, where, orderBy, search }: Omit<RowsRequest, "resource" | "start">) {
  return {
    // A table without columns has empty rows.
    ...(fields.length === 0 ? {} : { fields }),
    ...(where === undefined ? {} : { where }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(search === undefined ? {} : { search }),
  };
}

/** Rows that are read again from the start without the fields that fail on a later page: the most of one request. */
const againMax = 1_000;

/**
 * Returns the function that loads the first page. If a field cannot be computed, the page has the others, and names it.
 *
 * @param limit rows of each page
 */
export function firstPage(request: RowsRequest, limit = pageSize): LoadRows {
  return async (signal) => {
    try {
      return await readFirst(request, limit)(signal);
    } catch (error) {
      if (!isUncomputable(error)) throw error;
      const keys = request.resource.primaryKey.map(writeName);
      const others = request.fields.filter((field) => !keys.includes(field));
      const withOnly = (some: readonly string[]) => ({ ...request, fields: [...keys, ...some] });
      const unreadable = await findUnreadable(others, (some) =>
        readFirst(withOnly(some), limit)(signal),
      );
      if (unreadable.size === 0) throw error;
      const rest = withOnly(others.filter((field) => !unreadable.has(field)));
      const page = await readFirst(rest, limit)(signal);
      return { ...page, isFromStart: true, unreadable: { fields: unreadable, error } };
    }
  };
}

function readFirst(request: RowsRequest, limit: number): LoadRows {
  const { resource } = request;
  const hasKey = resource.primaryKey.length > 0;
  // Pages of rows without a key continue by offset, which needs an order that is the same for each page.
  const orderBy = request.orderBy ?? (hasKey ? undefined : request.fields.join() || undefined);
  const ordered = { ...request, orderBy };
  const { start = 0 } = request;
  return async (signal) => {
    const page = await client.from(addressOf(resource)).list({
      ...listOptions(ordered),
      ...(start === 0 ? {} : { offset: start }),
      ...{ limit, signal },
      etags: hasKey && resource.kind === "TABLE",
    });
    return toPage(request, page, { offset: 0, limit });
  };
}

function toPage(
  request: RowsRequest,
  page: Page<Row>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): RowPage {
  const { resource } = request;
  const rows = toRows(resource, page, offset);
  const isLast = page.meta.nextCursor === undefined && page.rows.length < limit;
  const end = offset + page.rows.length;
  const next: LoadRows = async (signal) => {
    try {
      const more = await page.next();
      return more === null
        ? { rows: [], next: null }
        : toPage(request, more, { offset: end, limit });
    } catch (error) {
      const again = end + limit;
      if (!isUncomputable(error) || again > againMax) throw error;
      return await firstPage(request, again)(signal);
    }
  };
  return { rows, next: isLast ? null : next };
}

/**
 * Counts the rows before the first one that has a value or one after it in its column.
 *
 * @param isDescending whether the greatest values come first
 */
export function countBefore(
  { resource, where, search }: Pick<RowsRequest, "resource" | "where" | "search">,
  { name, nullable }: Pick<NavigationColumn, "name" | "nullable">,
  { value, isDescending }: { readonly value: unknown; readonly isDescending: boolean },
  signal: AbortSignal,
): Promise<number> {
  const column = writeName(name);
  const beyond = { [column]: { [isDescending ? "_gt" : "_lt"]: value } };
  // Nulls come first in a descending order.
  const before =
    isDescending && nullable ? { _or: [beyond, { [column]: { _null: true } }] } : beyond;
  const all = where === undefined ? before : { _and: [where, before] };
  return countRows(resource, { where: all, search }, signal);
}

/** Counts the rows that a person may read. */
export async function countRows(
  resource: Pick<NavigationResource, "kind" | "schema" | "name">,
  { where, search }: Partial<Pick<RowsRequest, "where" | "search">>,
  signal: AbortSignal,
): Promise<number> {
  const { meta } = await client.from(addressOf(resource)).list({
    ...(where === undefined ? {} : { where }),
    ...(search === undefined ? {} : { search }),
    ...{ limit: 0, count: "exact", signal },
  });
  if (meta.count === undefined) throw new TypeError("The response has no count");
  return meta.count;
}

function toRows(resource: NavigationResource, page: Page<Row>, offset: number): readonly GridRow[] {
  const { etags = [] } = page.meta;
  return page.rows.map((values, index) => {
    const key = keyOf(resource, values);
    const id = key === null ? `at ${offset + index}` : JSON.stringify(key);
    return { id, key, values, etag: etags[index] };
  });
}

/** Reads rows again by their keys. Rows that this person no longer sees are missing from the result. */
export async function rowsByKey(
  resource: NavigationResource,
  fields: readonly string[],
  keys: readonly RowKey[],
): Promise<readonly GridRow[]> {
  const found: GridRow[] = [];
  for (let from = 0; from < keys.length; from += keysMax) {
    const some = keys.slice(from, from + keysMax);
    const page = await client.from(addressOf(resource)).list({
      ...{ fields, where: keysFilter(resource, some), limit: some.length, etags: true },
    });
    found.push(...toRows(resource, page, from));
  }
  return found;
}
