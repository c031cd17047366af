import { readName, writeName } from "@rowhouse/access/written-name";
import type { AdminOperations } from "@rowhouse/client";
import type { Where } from "../../records/filter/filter-tree.ts";
import { titleOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/** A DataView as the Admin API returns it. */
export type StoredView = AdminOperations["GET /data-views/{id}"]["answer"]["data"];

/** How the rows of a DataView are shown, as the API stores it. Fields are paths from its resource. */
export type Presentation = StoredView["presentation"];

export type Layout = Presentation["layout"];

/** The presentation of one layout. */
export type PresentationOf<Name extends Layout> = Extract<Presentation, { readonly layout: Name }>;

export type TableColumn = PresentationOf<"table">["columns"][number];
export type FormSection = PresentationOf<"form">["sections"][number];
export type FormField = FormSection["fields"][number];

export const layouts = ["table", "cards", "kanban", "calendar", "form"] as const satisfies Layout[];

/** A DataView while it is built. */
export interface ViewDraft {
  readonly name: string;
  readonly description: string;
  readonly icon: StoredView["icon"];
  /** Empty until one is chosen. */
  readonly resourceId: string;
  /** Paths; null for every field that the reader may see. */
  readonly fields: readonly string[] | null;
  readonly where: Where | null;
  readonly orderBy: readonly string[];
  /** A text, so that an unreadable number is not lost; empty for none. */
  readonly limit: string;
  readonly presentation: Presentation;
  readonly roleIds: readonly string[];
}

/** The draft of a new DataView. */
export function emptyDraft(resource: NavigationResource | undefined): ViewDraft {
  const name = resource === undefined ? "" : titleOf(resource);
  return {
    ...{ name, description: "", icon: null, resourceId: resource?.id ?? "" },
    ...{ fields: null, where: null },
    ...{ orderBy: [], limit: "", roleIds: [] },
    presentation: { version: 1, layout: "table", columns: [] },
  };
}

/** The draft of a stored DataView. */
export function draftOf(view: StoredView): ViewDraft {
  const { name, description, icon, resourceId, fields, where, orderBy, limit } = view;
  return {
    ...{ name, description, icon, resourceId, where, orderBy },
    fields: fields === null ? null : fields.map(readName),
    limit: limit === null ? "" : String(limit),
    presentation: view.presentation,
    roleIds: view.roleIds,
  };
}

/** The body of the request that creates a DataView. */
export function bodyOf(draft: ViewDraft) {
  const { name, description, icon, resourceId, fields, where, orderBy, limit, roleIds } = draft;
  return {
    ...{ name: name.trim(), description: description.trim(), icon, resourceId },
    fields: fields === null ? null : fields.map(writeName),
    where: where === null ? null : { ...where },
    orderBy: [...orderBy],
    // A text that is no number is refused at its field.
    limit: limit.trim() === "" ? null : Number(limit),
    presentation: draft.presentation,
    roleIds: [...roleIds],
  };
}

/** Whether a text is a number of rows, or none. */
export function isLimit(text: string): boolean {
  return /^\s*(?:[1-9]\d{0,5}\s*)?$/.test(text);
}

/** Whether two drafts say the same. */
export function isSameDraft(one: ViewDraft, other: ViewDraft): boolean {
  return JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));
}
