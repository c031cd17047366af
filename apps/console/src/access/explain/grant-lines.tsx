import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { StateBadge } from "../../ui/entries.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { grantPath } from "../access-paths.ts";
import type { Explanation } from "./use-explanation.ts";

/** Grants of several roles, with the fields and the rows that each covers, and whether it matches the row in question. */
export function GrantLines({ grants, row }: Pick<Explanation, "grants" | "row">) {
  const t = useTranslations("access");
  const matchOf = (id: string) => row?.grants.find((grant) => grant.id === id);
  return (
    <ul className="grid gap-2">
      {grants.map((grant) => (
        <li key={grant.id} className="grid gap-0.5">
          <AppLink href={grantPath(grant.id)} className={`${linkClasses} justify-self-start`}>
            {t("explain.grant", {
              role: grant.roleName,
              action: t(`action.${grant.action}`),
            })}
          </AppLink>
          <RowMatch match={matchOf(grant.id)} />
          <p className="text-2 text-ink-2">
            {t("part.fields")}:{" "}
            <span dir="auto" className="text-ink">
              {grant.fields === null ? t("explain.everyField") : grant.fields.join(", ")}
            </span>
          </p>
          {(["rowFilter", "check"] as const).map((part) => {
            const condition = grant[part];
            if (part === "check" && (condition === null || condition === undefined)) return null;
            return (
              <p key={part} className="text-2 text-ink-2">
                {t(`part.${part}`)}:{" "}
                {condition === null || condition === undefined ? (
                  <span className="text-ink">{t("explain.everyRow")}</span>
                ) : (
                  <code dir="ltr" className="font-mono text-ink wrap-anywhere">
                    {writeJson(condition)}
                  </code>
                )}
              </p>
            );
          })}
        </li>
      ))}
    </ul>
  );
}

function RowMatch({ match }: { readonly match: { readonly passes: boolean } | undefined }) {
  const t = useTranslations("access");
  if (match === undefined) return null;
  return (
    <p>
      <StateBadge look={match.passes ? "ok" : "warn"}>
        {t(match.passes ? "explain.rowPasses" : "explain.rowFails")}
      </StateBadge>
    </p>
  );
}
