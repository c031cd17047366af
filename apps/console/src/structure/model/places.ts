import { type CompiledDraft, namedColumns } from "./compile-draft.ts";
import type { Draft } from "./draft.ts";

/** Something that the service says of a place of the page. */
export interface PlacedText {
  /** `column/id`, `part/id`, `constraint/name`, `index/name` or `table`; empty for the draft as a whole. */
  readonly place: string;
  /** The property, such as `dataType`; empty for the whole. */
  readonly member: string;
  readonly message: string;
}

/** Finds the place of a JSON pointer. */
export type Locate = (pointer: string | undefined) => Pick<PlacedText, "place" | "member">;

const nowhere = { place: "", member: "" };

/** Finds the places of the pointers into the changes of a draft. */
export function locateChanges({ changes }: CompiledDraft): Locate {
  return (pointer = "") => {
    const [, index, member = ""] = /^\/data\/changes\/(\d+)(?:\/([^/]+))?/.exec(pointer) ?? [];
    const place = index === undefined ? undefined : changes[Number(index)]?.place;
    return place === undefined ? nowhere : { place, member };
  };
}

/** Finds the places of the pointers into the definition of a new table. */
export function locateDefinition(draft: Draft): Locate {
  return (pointer = "") => {
    if (pointer === "/data/name") return { place: "table", member: "name" };
    const [, index, member = ""] = /^\/data\/columns\/(\d+)(?:\/([^/]+))?/.exec(pointer) ?? [];
    const column = index === undefined ? undefined : namedColumns(draft)[Number(index)];
    if (column === undefined) return nowhere;
    const key = draft.parts.find(
      (part) => part.kind === "foreignKey" && part.columns[0] === column.id,
    );
    return member === "foreignKey" && key !== undefined
      ? { place: `part/${key.id}`, member }
      : { place: `column/${column.id}`, member };
  };
}
