import { useTranslations } from "use-intl";
import { Ban, Check, Minus } from "../../ui/icons.generated.ts";
import type { Explanation } from "./use-explanation.ts";

/** The stages that a request passes, in their order. */
const stages = ["PARSE", "AUTHENTICATE", "PLAN", "AUTHORIZE", "COMPILE", "BIND", "ROW"] as const;

type Stage = (typeof stages)[number];

const looks = {
  passed: { Icon: Check, look: "bg-ok-soft text-ok" },
  refused: { Icon: Ban, look: "bg-danger-soft text-danger" },
  unreached: { Icon: Minus, look: "bg-sunken text-ink-3" },
};

/** What happened to a request in each stage, with the rule behind a refusal. */
export function StageList({ refusal, row }: Pick<Explanation, "refusal" | "row">) {
  const t = useTranslations("access");
  // A request for many rows names none.
  const own: readonly Stage[] = row === null ? stages.filter((stage) => stage !== "ROW") : stages;
  const end = refusal === null ? own.length : own.indexOf(refusal.stage);
  return (
    <ol className="grid gap-2">
      {own.map((stage, index) => {
        const state = index < end ? "passed" : index === end ? "refused" : "unreached";
        const { Icon, look } = looks[state];
        return (
          <li key={stage} className="flex gap-3">
            <span className={`grid size-6 shrink-0 place-items-center rounded-full ${look}`}>
              <Icon size={14} aria-hidden="true" />
            </span>
            <div className="grid min-w-0 gap-0.5 pt-0.5">
              <p>
                <span className="font-medium">{t(`stage.${stage}`)}</span>{" "}
                <span className="text-ink-2">{t(`stageState.${state}`)}</span>
              </p>
              {state !== "refused" && (
                <p className="text-2 text-ink-2">{t(`stageText.${stage}`)}</p>
              )}
              {state === "refused" &&
                refusal?.errors.map(({ code, message, path, reason }) => (
                  <div key={`${code} ${path} ${message}`} className="grid gap-0.5">
                    <p dir="auto" className="font-medium text-danger wrap-anywhere">
                      {reason ?? message}
                    </p>
                    <p className="text-2 text-ink-2">
                      {t("explain.received", { status: String(refusal.status) })}{" "}
                      <code dir="auto" className="font-mono wrap-anywhere">
                        {code} {path ?? ""} {message}
                      </code>
                    </p>
                  </div>
                ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
