import { type FilterNode, type GroupNode, groupOf, nodesOf, type Where } from "./filter-tree.ts";
import { isComplete } from "./operand.ts";

/** What a person has changed in the panel and not applied. */
export interface Draft {
  /** The filter that was applied when the changes began. */
  readonly base: Where | undefined;
  readonly tree: GroupNode;
  /** The text form while it is the one that is edited; null for the builder. */
  readonly text: string | null;
}

/** Returns the ids of conditions that lack a field or a value. */
export function incompleteIds(tree: GroupNode): ReadonlySet<string> {
  const found = [...nodesOf(tree)].filter((node) => node.kind === "CONDITION" && !isComplete(node));
  return new Set(found.map(({ id }) => id));
}

/** Returns a tree without conditions of which nothing was entered, and without the groups that this leaves empty. */
export function withoutBlanks(tree: GroupNode): GroupNode {
  const nodes = tree.nodes.flatMap((node): readonly FilterNode[] => {
    if (node.kind === "CONDITION") {
      return node.keys.length === 0 && node.operand === undefined ? [] : [node];
    }
    if (node.kind === "RELATED") return [{ ...node, group: withoutBlanks(node.group) }];
    if (node.kind !== "GROUP" || node.nodes.length === 0) return [node];
    const inner = withoutBlanks(node);
    return inner.nodes.length === 0 ? [] : [inner];
  });
  return { ...tree, nodes };
}

/** Returns a tree with a node at the end of a group. */
export function addNode(tree: GroupNode, groupId: string, node: FilterNode): GroupNode {
  if (tree.id === groupId) return { ...tree, nodes: [...tree.nodes, node] };
  return {
    ...tree,
    nodes: tree.nodes.map((inner) => {
      if (inner.kind === "GROUP") return addNode(inner, groupId, node);
      return inner.kind === "RELATED"
        ? { ...inner, group: addNode(inner.group, groupId, node) }
        : inner;
    }),
  };
}

/** Returns a root that is a conjunction, so that its nodes are members of one object. */
export function asRoot(group: GroupNode): GroupNode {
  return group.join === "AND" && !group.isNegated ? group : groupOf([group]);
}
