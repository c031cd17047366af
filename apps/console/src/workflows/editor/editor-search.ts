import { textParameter } from "../../shell/text-parameter.ts";
/** How a definition is shown. */
export const editorViews = ["tree", "graph", "code"] as const;
export type EditorView = (typeof editorViews)[number];

/** The state of the editor, as its address has it. */
export interface EditorSearch {
  /** The id of the chosen step; undefined for the trigger. */
  readonly step: string | undefined;
  /** A JSON pointer from the step to the field to show. */
  readonly field: string | undefined;
  /** Undefined for the tree. */
  readonly view: Exclude<EditorView, "tree"> | undefined;
  /** Undefined for the form of the chosen step. */
  readonly panel: "trigger" | "test" | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readEditorSearch(raw: Readonly<Record<string, unknown>>): EditorSearch {
  return {
    step: textParameter(raw.step),
    field: textParameter(raw.field),
    view: (["graph", "code"] as const).find((one) => one === raw.view),
    panel: (["trigger", "test"] as const).find((one) => one === raw.panel),
  };
}

/** An edition of a workflow's definition: the number of a version, or the draft. */
export type Edition = number | "draft";

/** The state of the page of versions, as its address has it. */
export interface VersionsSearch {
  /** The editions to compare; undefined for those that are compared at first. */
  readonly from: number | undefined;
  readonly to: Edition | undefined;
  /** Undefined for the list of differences. */
  readonly view: "graph" | undefined;
  /** The key of the step whose differences the graph shows. */
  readonly step: string | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readVersionsSearch(raw: Readonly<Record<string, unknown>>): VersionsSearch {
  const numberOf = (value: unknown) =>
    /^[1-9][0-9]{0,8}$/.test(String(value)) ? Number(value) : undefined;
  return {
    from: numberOf(raw.from),
    to: raw.to === "draft" ? "draft" : numberOf(raw.to),
    view: raw.view === "graph" ? "graph" : undefined,
    step: textParameter(raw.step),
  };
}
