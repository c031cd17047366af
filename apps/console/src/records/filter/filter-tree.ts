import type { Quantifier } from "@rowhouse/access/operator";
import { type ComponentType, createContext, useContext } from "react";
import type { Resources } from "./resolve-field.ts";

/** A filter as the Data API takes it. */
export type Where = Readonly<Record<string, unknown>>;

/**
 * A filter as the builder shows it. Nodes keep the spelling of the filter that they were read from, so that a filter that
 * nobody changes is written as it was.
 */
export type FilterNode = GroupNode | ConditionNode | RelatedNode | UnknownNode;

/** Nodes of which all or any must match; negated, not all or none. */
export interface GroupNode {
  readonly kind: "GROUP";
  readonly id: string;
  readonly join: "AND" | "OR";
  readonly isNegated: boolean;
  /** Whether a conjunction is spelled as the list `_and`, and not as the members of one object. */
  readonly isList: boolean;
  readonly nodes: readonly FilterNode[];
}

/** A comparison of a field, or of the value at a path inside its document. */
export interface ConditionNode {
  readonly kind: "CONDITION";
  readonly id: string;
  /** The keys that lead to the field, as spelled: `["driver.name"]` or `["driver", "name"]`. Empty until it is chosen. */
  readonly keys: readonly string[];
  /** A path inside a document, such as `engine.power`. */
  readonly inside: string | null;
  readonly operator: string;
  /** Undefined until it is entered. */
  readonly operand: unknown;
}

/** Conditions on the rows of a to-many relation. */
export interface RelatedNode {
  readonly kind: "RELATED";
  readonly id: string;
  readonly keys: readonly string[];
  readonly quantifier: Quantifier;
  readonly group: GroupNode;
}

/** A part that the builder does not know. It is kept and shown as text. */
interface UnknownNode {
  readonly kind: "UNKNOWN";
  readonly id: string;
  readonly keys: readonly string[];
  readonly value: unknown;
}

let last = 0;

/** Returns the identity of a new node. */
export function newId(): string {
  last += 1;
  return `node-${last}`;
}

/** Returns a group of all its nodes. */
export function groupOf(nodes: readonly FilterNode[], parts: Partial<GroupNode> = {}): GroupNode {
  return {
    kind: "GROUP",
    id: newId(),
    join: "AND",
    isNegated: false,
    isList: false,
    nodes,
    ...parts,
  };
}

/** Returns a condition whose field is not chosen yet. */
export function newCondition(): ConditionNode {
  return {
    kind: "CONDITION",
    id: newId(),
    keys: [],
    inside: null,
    operator: "_eq",
    operand: undefined,
  };
}

/** Lists a node and every node below it. */
export function* nodesOf(node: FilterNode): Generator<FilterNode> {
  yield node;
  if (node.kind === "RELATED") yield* nodesOf(node.group);
  if (node.kind !== "GROUP") return;
  for (const inner of node.nodes) yield* nodesOf(inner);
}

/** Returns a tree in which the node of an id is replaced; by null, it is removed. */
export function replaceNode(group: GroupNode, id: string, next: FilterNode | null): GroupNode {
  const nodes = group.nodes.flatMap((node): readonly FilterNode[] => {
    if (node.id === id) return next === null ? [] : [next];
    if (node.kind === "GROUP") return [replaceNode(node, id, next)];
    if (node.kind === "RELATED" && node.group.id === id) {
      return next?.kind === "GROUP" ? [{ ...node, group: next }] : [];
    }
    return node.kind === "RELATED"
      ? [{ ...node, group: replaceNode(node.group, id, next) }]
      : [node];
  });
  return { ...group, nodes };
}

/** An editor of a value that is a template, such as `{{start.data.body.plate}}`. */
export interface OperandTemplateProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** What every part of the builder can do, and what is wrong with it. */
export interface FilterEdit {
  readonly resources: Resources;
  /** Replaces a node; null removes it. */
  readonly change: (id: string, next: FilterNode | null) => void;
  readonly add: (groupId: string, node: FilterNode) => void;
  readonly faults: ReadonlyMap<string, string>;
  /** The node whose first field has the focus. */
  readonly focusId: string | null;
  readonly focus: (id: string | null) => void;
  /** The editor of templates, for a filter whose values may be templates. */
  readonly Template?: ComponentType<OperandTemplateProps> | undefined;
}

const Edit = createContext<FilterEdit | null>(null);

export const FilterEditProvider = Edit.Provider;

/** The builder that a part belongs to. */
export function useFilterEdit(): FilterEdit {
  const edit = useContext(Edit);
  if (edit === null) throw new Error("useFilterEdit needs a FilterEditProvider");
  return edit;
}
