import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { writeCode } from "../model/code-text.ts";
import { kindOf } from "../model/definition.ts";
import { keysOf } from "../model/pointer.ts";
import { useKindName } from "../parts/kinds-query.ts";

/** One difference between two definitions. */
export type EditionChange =
  AdminOperations["GET /workflows/{id}/versions/{number}/diff"]["answer"]["data"][number];

const looks = {
  STEP_ADDED: { sign: "+", look: "bg-ok-soft text-ok" },
  STEP_REMOVED: { sign: "−", look: "bg-danger-soft text-danger" },
  STEP_MOVED: { sign: "↕", look: "bg-accent-soft text-accent" },
  CHANGED: { sign: "~", look: "bg-warn-soft text-warn" },
} as const;

/** The differences between two definitions, in the order of the second one. */
export function ChangeList({ changes }: { readonly changes: readonly EditionChange[] }) {
  const t = useTranslations("workflowEditor");
  const kindName = useKindName();
  return (
    <ul aria-label={t("changes")} className="grid rounded-panel border border-line">
      {changes.map((change) => {
        const { sign, look } = looks[change.kind];
        return (
          <li
            key={`${change.kind} ${change.from} ${change.to}`}
            className="flex items-start gap-2 border-line border-b px-3 py-2 last:border-b-0"
          >
            <span
              role="img"
              aria-label={t(`changeKinds.${change.kind}`)}
              title={t(`changeKinds.${change.kind}`)}
              className={classes(
                "grid size-5 shrink-0 place-items-center rounded-control font-mono text-2",
                look,
              )}
            >
              {sign}
            </span>
            <div className="grid min-w-0 flex-1 gap-1">
              <p className="wrap-anywhere">
                <bdi className="font-medium">{change.step ?? t("wholeWorkflow")}</bdi>{" "}
                <bdi className="text-ink-2">
                  {change.kind === "STEP_MOVED"
                    ? t("changeKinds.STEP_MOVED")
                    : detailOf(change, kindName)}
                </bdi>
              </p>
              {change.kind === "CHANGED" && (
                <div className="grid gap-1 sm:grid-cols-2">
                  <Value label={t("before")} value={change.before} look="bg-danger-soft" />
                  <Value label={t("after")} value={change.after} look="bg-ok-soft" />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Value(props: { readonly label: string; readonly value: unknown; readonly look: string }) {
  const { label, value, look } = props;
  if (value === undefined || value === null) return <span />;
  const text = typeof value === "string" ? value : writeCode(value);
  return (
    <pre
      dir="auto"
      title={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls can be reached by keys
      tabIndex={0}
      className={classes(
        "max-h-40 min-w-0 overflow-auto rounded-control px-2 py-1 font-mono text-2 whitespace-pre-wrap wrap-anywhere",
        look,
      )}
    >
      {text}
    </pre>
  );
}

/** The kind of an added or removed step, and the path of a changed field in its step. */
function detailOf(change: EditionChange, kindName: (kind: string) => string): string {
  const { kind, step, from, to, before, after } = change;
  if (kind === "STEP_ADDED" || kind === "STEP_REMOVED") {
    return kindName(kindOf(kind === "STEP_ADDED" ? after : before));
  }
  const keys = keysOf(to ?? from ?? "");
  return keys.slice(step === null ? 0 : lastStep(keys) + 1).join(" › ");
}

/** The position of the key that names the innermost step of a pointer. */
function lastStep(keys: readonly string[]): number {
  return keys.findLastIndex(
    (key, at) =>
      /^[0-9]+$/.test(key) && ["steps", "then", "else", "default"].includes(keys[at - 1] ?? ""),
  );
}
