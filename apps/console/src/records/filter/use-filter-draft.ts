import { readJson, writeJson } from "@rowhouse/client";
import { useState } from "react";
import { findJsonFault } from "../values/json-fault.ts";
import { addNode, asRoot, type Draft, incompleteIds, withoutBlanks } from "./filter-draft.ts";
import { type FilterNode, type GroupNode, replaceNode, type Where } from "./filter-tree.ts";
import { isObject, readWhere } from "./read-where.ts";
import { writeWhere } from "./write-where.ts";

/** A filter while it is changed: in the builder or as text, between which nothing is lost. */
interface FilterDraft {
  /** The group at the top of the builder. */
  readonly top: GroupNode;
  /** The text, while it is the form that is edited. */
  readonly text: string | null;
  readonly isChanged: boolean;
  /** The conditions that were incomplete when the person tried to leave the builder. */
  readonly missing: ReadonlySet<string>;
  readonly change: (id: string, next: FilterNode | null) => void;
  readonly add: (groupId: string, node: FilterNode) => void;
  readonly type: (text: string) => void;
  readonly toText: () => void;
  readonly toBuilder: () => void;
  /** Returns the filter; undefined while it is incomplete or no JSON. */
  readonly finish: () => Where | undefined;
}

/** A root with one group is that group. */
function topOf(root: GroupNode): GroupNode {
  const [only] = root.nodes;
  return root.nodes.length === 1 && only?.kind === "GROUP" ? only : root;
}

const indent = 2;

/** JSON with line breaks, and with the digits of its numbers. */
export function filterText(where: Where): string {
  const exact = writeJson(where);
  const text = JSON.stringify(where, null, indent);
  // Exact numbers would become texts.
  return writeJson(JSON.parse(text)) === exact ? text : exact;
}

/** Returns the filter of a text; undefined for anything but a JSON object. */
function whereOf(text: string): Where | undefined {
  if (text.trim() === "") return {};
  if (findJsonFault(text) !== undefined) return undefined;
  const value = readJson(text);
  return isObject(value) ? value : undefined;
}

export function useFilterDraft(props: {
  readonly where: Where | undefined;
  readonly tree: GroupNode;
  readonly draft: Draft | null;
  readonly onDraft: (draft: Draft | null) => void;
  /** What the panel opens with, if nothing was changed before. */
  readonly start: (tree: GroupNode) => GroupNode;
}): FilterDraft {
  const { where, onDraft } = props;
  const [state, setState] = useState(
    () => props.draft ?? { base: where, tree: props.start(topOf(props.tree)), text: null },
  );
  const [isTried, setTried] = useState(false);
  const { tree, text } = state;
  const update = (next: Partial<Draft>, isChange: boolean) => {
    const draft = { ...state, ...next };
    setState(draft);
    if (isChange) onDraft(draft);
  };
  const shown = writeWhere(asRoot(withoutBlanks(tree))).where;
  const incomplete = incompleteIds(withoutBlanks(tree));
  const leave = (): boolean => {
    if (incomplete.size > 0) setTried(true);
    return incomplete.size === 0;
  };
  return {
    top: tree,
    text,
    isChanged:
      text === null
        ? filterText(shown) !== filterText(where ?? {})
        : text !== filterText(where ?? {}),
    missing: isTried ? incomplete : new Set(),
    change: (id, next) => {
      if (id === tree.id && next?.kind === "GROUP") update({ tree: next }, true);
      else update({ tree: replaceNode(tree, id, next) }, true);
    },
    add: (groupId, node) => update({ tree: addNode(tree, groupId, node) }, true),
    type: (next) => update({ text: next }, true),
    toText: () => {
      if (leave()) update({ text: filterText(shown) }, props.draft !== null);
    },
    toBuilder: () => {
      const read = text === null ? undefined : whereOf(text);
      if (read === undefined) return;
      // A text that says the same keeps the tree with all that it alone has.
      const isSame = filterText(read) === filterText(shown);
      update({ text: null, tree: isSame ? tree : topOf(readWhere(read)) }, props.draft !== null);
    },
    finish: () => {
      if (text !== null) return whereOf(text);
      return leave() ? shown : undefined;
    },
  };
}
