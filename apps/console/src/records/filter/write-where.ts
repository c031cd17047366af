import type { FilterNode, GroupNode, Where } from "./filter-tree.ts";

/** A filter, and the path of each node in it. */
export interface WrittenFilter {
  readonly where: Where;
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/** Writes a tree as the Data API takes it. */
export function writeWhere(tree: GroupNode): WrittenFilter {
  const places = new Map<string, readonly string[]>([[tree.id, []]]);
  const where = writeObject(isPlain(tree) ? tree.nodes : [tree], [], places);
  return { where, places };
}

type Places = Map<string, readonly string[]>;

/** A member of an object under construction: an object itself, or a value that stays as it is. */
type Branch = Map<string, Branch | Leaf>;

class Leaf {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Writes nodes that must all match as one object; those whose keys are taken go into a list `_and`. */
function writeObject(nodes: readonly FilterNode[], at: readonly string[], places: Places): Where {
  const root: Branch = new Map();
  const rest: FilterNode[] = [];
  for (const node of nodes) {
    const path = pathOf(node);
    if (!isFree(root, path)) {
      rest.push(node);
      continue;
    }
    insert(root, path, new Leaf(writeNode(node, at, places)));
  }
  if (rest.length > 0) {
    const taken = root.get("_and");
    const list =
      taken instanceof Leaf && Array.isArray(taken.value) ? (taken.value as Where[]) : [];
    const more = rest.map((node, index) =>
      writeItem(node, [...at, "_and", String(list.length + index)], places),
    );
    root.set("_and", new Leaf([...list, ...more]));
  }
  return objectOf(root);
}

/** The keys that lead to what is written of a node. */
function pathOf(node: FilterNode): readonly string[] {
  switch (node.kind) {
    case "CONDITION":
      return node.inside === null
        ? [...node.keys, node.operator]
        : [...node.keys, "_path", node.inside, node.operator];
    case "RELATED":
      return [...node.keys, node.quantifier];
    case "UNKNOWN":
      return node.keys;
    case "GROUP":
      return [node.isNegated ? "_not" : node.join === "AND" ? "_and" : "_or"];
    default:
      return node satisfies never;
  }
}

function writeNode(node: FilterNode, at: readonly string[], places: Places): unknown {
  const path = [...at, ...pathOf(node)];
  places.set(node.id, path);
  switch (node.kind) {
    case "CONDITION":
      return node.operand;
    case "UNKNOWN":
      return node.value;
    case "RELATED":
      places.set(node.group.id, path);
      return isPlain(node.group)
        ? writeObject(node.group.nodes, path, places)
        : writeObject([node.group], path, places);
    case "GROUP": {
      if (!node.isNegated) return writeItems(node, path, places);
      if (isPlain({ ...node, isNegated: false })) return writeObject(node.nodes, path, places);
      const key = node.join === "AND" ? "_and" : "_or";
      return { [key]: writeItems(node, [...path, key], places) };
    }
    default:
      return node satisfies never;
  }
}

function writeItems(group: GroupNode, at: readonly string[], places: Places): Where[] {
  return group.nodes.map((node, index) => writeItem(node, [...at, String(index)], places));
}

function writeItem(node: FilterNode, at: readonly string[], places: Places): Where {
  if (node.kind !== "GROUP" || !isPlain(node)) return writeObject([node], at, places);
  places.set(node.id, at);
  return writeObject(node.nodes, at, places);
}

/** Whether a group is the members of one object. */
function isPlain(group: GroupNode): boolean {
  return group.join === "AND" && !group.isList && !group.isNegated;
}

/** Whether an object has no other value at a path, above it or below it. */
function isFree(branch: Branch, path: readonly string[]): boolean {
  const [key = "", ...rest] = path;
  const found = branch.get(key);
  if (found === undefined) return true;
  return rest.length > 0 && found instanceof Map && isFree(found, rest);
}

function insert(branch: Branch, path: readonly string[], leaf: Leaf): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    branch.set(key, leaf);
    return;
  }
  const found = branch.get(key);
  const inner: Branch = found instanceof Map ? found : new Map();
  branch.set(key, inner);
  insert(inner, rest, leaf);
}

function objectOf(branch: Branch): Where {
  return Object.fromEntries(
    Array.from(branch, ([key, value]) => [
      key,
      value instanceof Leaf ? value.value : objectOf(value),
    ]),
  );
}
