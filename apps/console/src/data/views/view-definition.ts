import { splitTerms } from "@rowhouse/access/written-name";
import type { AppOperations } from "@rowhouse/client";
import { emptySearch, type Filter, type RowsSearch } from "../../records/rows/rows-address.ts";
import { listOf, namesOf } from "../../records/table/rows-search.ts";

/** A view that the person saved. */
export type SavedView = AppOperations["GET /saved-views"]["answer"]["data"][number];

/** What a saved view keeps. */
export type Definition = AppOperations["POST /saved-views"]["data"]["definition"];

/** Returns the parts of an address that a saved view keeps. */
export function definitionOf(search: RowsSearch): Definition {
  const { where, search: text, order_by: orderBy, fields, pinned, group } = search;
  return {
    version: 1,
    ...(where === undefined ? {} : { where }),
    ...(text === undefined ? {} : { search: text }),
    ...(orderBy === undefined ? {} : { orderBy: [...splitTerms(orderBy)] }),
    ...(fields === undefined ? {} : { fields: [...namesOf(fields)] }),
    ...(pinned === undefined ? {} : { pinned: [...namesOf(pinned)] }),
    ...(group === undefined ? {} : { groupBy: [...namesOf(group)] }),
  };
}

/** Returns the address of a saved view. A part of another form is left out. */
export function searchOf({ id, definition }: Pick<SavedView, "id" | "definition">): RowsSearch {
  const { where, search, orderBy, fields, pinned, groupBy } = definition;
  const isObject = typeof where === "object" && where !== null && !Array.isArray(where);
  const isFilter = isObject && Object.keys(where).length > 0;
  const orders = textsOf(orderBy);
  return {
    ...emptySearch,
    where: isFilter ? (where as Filter) : undefined,
    search: typeof search === "string" && search !== "" ? search : undefined,
    order_by: orders.length === 0 ? undefined : orders.join(),
    fields: listOf(textsOf(fields)),
    pinned: listOf(textsOf(pinned)),
    group: listOf(textsOf(groupBy)),
    view: id,
  };
}

/** Whether an address has what a saved view keeps, whatever the order of an object's members. */
export function isUnchanged(
  search: RowsSearch,
  view: Pick<SavedView, "id" | "definition">,
): boolean {
  return sorted(definitionOf(search)) === sorted(definitionOf(searchOf(view)));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
