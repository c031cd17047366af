import { useTranslations } from "use-intl";
import { StateBadge } from "../../ui/entries.tsx";
import { Section } from "../../ui/section.tsx";
import { GrantLines } from "./grant-lines.tsx";
import { StageList } from "./stage-list.tsx";
import { TablePart } from "./table-part.tsx";
import type { Explanation } from "./use-explanation.ts";

/** Why a person gets an answer: the stages, the grants, the readable part of each table, and the SQL. */
export function ExplanationView({ explanation }: { readonly explanation: Explanation }) {
  const { outcome, refusal, row, roles, grants, relations, sql, parameters } = explanation;
  const t = useTranslations("access");
  return (
    <>
      <Section
        title={t("explain.stages")}
        aside={
          <StateBadge look={outcome === "ALLOWED" ? "ok" : "warn"}>
            {t(`explain.${outcome}`)}
          </StateBadge>
        }
      >
        <StageList refusal={refusal} row={row} />
      </Section>
      <Section title={t("explain.roles")}>
        <p dir="auto">
          {roles.length === 0 ? t("explain.noRoles") : roles.map(({ name }) => name).join(", ")}
        </p>
      </Section>
      {grants.length > 0 && (
        <Section title={t("explain.grants")} text={t("explain.grantsText")}>
          <GrantLines grants={grants} row={row} />
        </Section>
      )}
      {relations.length > 0 && (
        <Section title={t("explain.tables")} text={t("explain.tablesText")}>
          {relations.map((part) => (
            <TablePart key={part.resourceId} part={part} />
          ))}
        </Section>
      )}
      {sql !== null && (
        <Section title={t("explain.sql")} text={t("explain.sqlText")}>
          <pre
            dir="ltr"
            className="rounded-panel border border-line bg-sunken p-3 font-mono text-2 whitespace-pre-wrap wrap-anywhere"
          >
            <code>{sql}</code>
          </pre>
          {parameters.length > 0 && (
            <ol className="grid gap-0.5 text-2">
              {numbered(parameters).map(({ mark, source, value }) => (
                <li key={mark}>
                  <code dir="auto" className="font-mono wrap-anywhere">
                    {mark} = {value ?? "null"} ({source})
                  </code>
                </li>
              ))}
            </ol>
          )}
        </Section>
      )}
    </>
  );
}

/** Parameters with the marks that the SQL has for them. */
function numbered(parameters: Explanation["parameters"]) {
  return parameters.map((parameter, index) => ({ ...parameter, mark: `$${index + 1}` }));
}
