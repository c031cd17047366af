import { useFormatter, useTranslations } from "use-intl";
import { StateBadge } from "../../ui/entries.tsx";
import type { PlanNode } from "./read-plan.ts";

/** The plan of a statement as a tree. The node that costs most is marked. */
export function PlanView({ root }: { readonly root: PlanNode }) {
  const t = useTranslations("sql");
  return (
    <section aria-label={t("plan.title")} className="grid gap-2">
      <h2 className="text-4 font-semibold">{t("plan.title")}</h2>
      <p className="text-ink-2">{t("plan.text")}</p>
      <ul className="rounded-panel border border-line bg-surface p-3">
        <Node node={root} />
      </ul>
    </section>
  );
}

function Node({ node }: { readonly node: PlanNode }) {
  const t = useTranslations("sql.plan");
  const format = useFormatter();
  const percent = format.number(node.share, { style: "percent", maximumFractionDigits: 0 });
  return (
    <li className="grid gap-1 py-1">
      <div
        className={`grid gap-1 rounded-control border px-2.5 py-1.5 ${
          node.isCostliest ? "border-warn bg-warn-soft" : "border-line"
        }`}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span lang="en" className="font-medium">
            {node.type}
          </span>
          {node.target !== undefined && (
            <span dir="auto" className="min-w-0 font-mono text-2 wrap-anywhere">
              {node.target}
            </span>
          )}
          {node.isCostliest && <StateBadge look="warn">{t("costliest")}</StateBadge>}
          <span className="ml-auto text-2 text-ink-2 tabular-nums">
            {t("numbers", {
              percent,
              count: node.rows,
              rows: format.number(node.rows),
              cost: format.number(node.totalCost, { maximumFractionDigits: 2 }),
            })}
          </span>
        </div>
        <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-sunken">
          <div
            className={`h-full ${node.isCostliest ? "bg-warn" : "bg-accent"}`}
            style={{ width: `${Math.round(node.share * 100)}%` }}
          />
        </div>
        {node.facts.map(({ name, text }) => (
          <p key={name} lang="en" className="text-2 text-ink-2 wrap-anywhere">
            {name}: <code className="font-mono text-ink">{text}</code>
          </p>
        ))}
      </div>
      {node.children.length > 0 && (
        <ul className="border-line border-l pl-2 sm:ml-3 sm:pl-3">
          {node.children.map((child) => (
            <Node key={child.id} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
