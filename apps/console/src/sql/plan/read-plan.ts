import type { SqlResult } from "../run-request.ts";

/** A node of a plan. */
export interface PlanNode {
  readonly id: string;
  readonly type: string;
  /** The table, index or alias that it reads. */
  readonly target: string | undefined;
  readonly rows: number;
  readonly totalCost: number;
  /** The part of the plan's cost that arises in this node itself, from 0 to 1. */
  readonly share: number;
  readonly isCostliest: boolean;
  /** Conditions and keys, as PostgreSQL names them. */
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly children: readonly PlanNode[];
}

type Raw = Readonly<Record<string, unknown>>;

const shownFacts = [
  "Index Cond",
  "Recheck Cond",
  "Filter",
  "Join Filter",
  "Hash Cond",
  "Merge Cond",
  "Sort Key",
  "Group Key",
  "Subplan Name",
];

/** Reads the answer of EXPLAIN (FORMAT JSON); undefined if a result is something else. */
export function readPlan(result: SqlResult | undefined): PlanNode | undefined {
  const value = result?.rows[0]?.[0];
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  const root = isRecord(first) ? first.Plan : undefined;
  if (!isRecord(root)) return undefined;
  const costs: number[] = [];
  collectCosts(root, costs);
  const whole = Math.max(numberOf(root, "Total Cost"), ...costs, Number.MIN_VALUE);
  return nodeOf(root, "0", { whole, highest: Math.max(...costs) });
}

function collectCosts(raw: Raw, costs: number[]): void {
  costs.push(ownCost(raw));
  for (const child of childrenOf(raw)) collectCosts(child, costs);
}

/** The cost without that of the children. A LIMIT above a child can make it negative. */
function ownCost(raw: Raw): number {
  const below = childrenOf(raw).reduce((sum, child) => sum + numberOf(child, "Total Cost"), 0);
  return Math.max(0, numberOf(raw, "Total Cost") - below);
}

function nodeOf(
  raw: Raw,
  id: string,
  costs: { readonly whole: number; readonly highest: number },
): PlanNode {
  const own = ownCost(raw);
  const text = (name: string) => (typeof raw[name] === "string" ? raw[name] : undefined);
  const relation = text("Relation Name") ?? text("CTE Name") ?? text("Function Name");
  const alias = text("Alias");
  const names = [relation, alias === relation ? undefined : alias, text("Index Name")];
  const target = names.filter((name) => name !== undefined).join(" · ");
  return {
    id,
    type: [text("Join Type"), text("Node Type")].filter((part) => part !== undefined).join(" "),
    target: target === "" ? undefined : target,
    rows: numberOf(raw, "Plan Rows"),
    totalCost: numberOf(raw, "Total Cost"),
    share: own / costs.whole,
    isCostliest: own > 0 && own === costs.highest,
    facts: shownFacts.flatMap((name) => {
      const value = raw[name];
      if (value === undefined) return [];
      return [{ name, text: Array.isArray(value) ? value.join(", ") : String(value) }];
    }),
    children: childrenOf(raw).map((child, index) => nodeOf(child, `${id}.${index}`, costs)),
  };
}

function childrenOf(raw: Raw): readonly Raw[] {
  const { Plans: plans } = raw;
  return Array.isArray(plans) ? plans.filter(isRecord) : [];
}

function numberOf(raw: Raw, name: string): number {
  return Number(raw[name] ?? 0);
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
