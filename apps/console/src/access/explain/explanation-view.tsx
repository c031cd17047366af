import { readJson, writeJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { grantPath } from "../../grants/model/access-paths.ts";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { linkClasses } from "../../ui/classes.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { Ban, Check, Minus } from "../../ui/icons.generated.ts";
import { Section } from "../../ui/section.tsx";
import type { ExplainSearch } from "../access-search.ts";
import { DecisiveNotice, type Explanation } from "./decisive-fact.tsx";

/** Why a person gets an answer: the stages, the grants, the readable part of each table, and the SQL. */
export function ExplanationView(props: {
  readonly explanation: Explanation;
  /** The request that is explained. */
  readonly search: ExplainSearch;
}) {
  const { explanation, search } = props;
  const { outcome, refusal, row, roles, grants, relations, sql, parameters } = explanation;
  const t = useTranslations("access");
  return (
    <>
      <DecisiveNotice {...{ explanation, search }} />
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

/** The part of a table that the person can read: what the grants of several roles add up to. */
function TablePart({ part }: { readonly part: Explanation["relations"][number] }) {
  const t = useTranslations("access");
  return (
    <div className="grid gap-3 rounded-panel border border-line bg-surface p-4">
      <h3 dir="auto" className="font-mono font-medium wrap-anywhere">
        {part.schema}.{part.name}
      </h3>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <dt className="text-ink-2">{t("explain.rows")}</dt>
        <dd>{t(part.everyRow ? "explain.everyRow" : "explain.someRows")}</dd>
        <dt className="text-ink-2">{t("explain.readable")}</dt>
        <dd dir="auto" className="wrap-anywhere">
          {part.fields
            .map(({ name, everyRow }) =>
              everyRow || !part.everyRow ? name : t("explain.fieldInSomeRows", { name }),
            )
            .join(", ")}
        </dd>
        {part.hiddenFields.length > 0 && (
          <>
            <dt className="text-ink-2">{t("explain.hidden")}</dt>
            <dd dir="auto" className="wrap-anywhere">
              {part.hiddenFields.join(", ")}
            </dd>
          </>
        )}
      </dl>
      {part.grants.length === 0 ? (
        <p className="text-2 text-ink-2">{t("explain.noGrants")}</p>
      ) : (
        <GrantLines grants={part.grants} row={null} />
      )}
    </div>
  );
}

/** The stages that a request passes, in their order. */
const stages = ["PARSE", "AUTHENTICATE", "PLAN", "AUTHORIZE", "COMPILE", "BIND", "ROW"] as const;

type Stage = (typeof stages)[number];

const looks = {
  passed: { Icon: Check, look: "bg-ok-soft text-ok" },
  refused: { Icon: Ban, look: "bg-danger-soft text-danger" },
  unreached: { Icon: Minus, look: "bg-sunken text-ink-3" },
};

/** What happened to a request in each stage, with the rule behind a refusal. */
function StageList({ refusal, row }: Pick<Explanation, "refusal" | "row">) {
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

/** Grants of several roles, with the fields and the rows that each covers, and whether it matches the row in question. */
function GrantLines({ grants, row }: Pick<Explanation, "grants" | "row">) {
  const t = useTranslations("access");
  const matchOf = (id: string) => row?.grants.find((grant) => grant.id === id);
  return (
    <ul className="grid gap-2">
      {grants.map((grant) => (
        <li key={grant.id} className="grid gap-0.5">
          <AppLink href={grantPath(grant.id)} className={`${linkClasses} justify-self-start`}>
            {t("explain.grant", {
              role: grant.roleName,
              action: t(`explain.deed.${grant.action}`),
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
            const isNew = grant.action === "CREATE";
            // A new row has no row filter beside its check.
            if (isNew && part === "rowFilter" && isGiven(grant.check)) return null;
            if (part === "check" && !isGiven(condition)) return null;
            return (
              <p key={part} className="text-2 text-ink-2">
                {t(isNew ? "part.check" : `part.${part}`)}:{" "}
                {!isGiven(condition) ? (
                  <span className="text-ink">
                    {t(isNew ? "explain.everyNewRow" : "explain.everyRow")}
                  </span>
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

function isGiven(condition: unknown): boolean {
  return condition !== null && condition !== undefined;
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

/** Explains the request of an address; nothing without a person and a path. */
export function useExplanation({ user, method = "GET", path }: ExplainSearch, body: string) {
  return useQuery({
    queryKey: ["access", "explanation", user, method, path, body],
    enabled: user !== undefined && path !== undefined,
    // Grants may have changed since.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Explanation> => {
      const given = bodyOf(body);
      const data = {
        ...{ userId: user ?? "", method, path: path ?? "" },
        ...(given === undefined ? {} : { body: given }),
      };
      return (await client.admin.post("/permissions/explain", { data, signal })).data;
    },
  });
}

/** The body of the explained request; a text that is no JSON is sent as the text that it is. */
function bodyOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  return findJsonFault(text) === undefined ? readJson(text) : text;
}
