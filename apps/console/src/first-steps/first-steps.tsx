import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { accountPath } from "../shell/account-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { Circle, CircleCheck } from "../ui/icons.generated.ts";
import { ToolButton, toolClasses } from "../ui/tool-button.tsx";
import { LoadSample, RemoveSample } from "./sample.tsx";

const limit = 1000;

/** What the first steps are read from. */
const stepsQuery = {
  queryKey: ["first-steps"],
  // A step may have been done on another page a moment ago.
  staleTime: 0,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    // Besides the built-in role and the first administrator, one record is enough.
    const query = { limit: 3 };
    const { admin } = client;
    const [resources, sample, roles, users, invitations, dashboards, tokens] = await Promise.all([
      admin.get("/resources", { query: { limit }, signal }),
      admin.get("/sample", { signal }),
      admin.get("/roles", { query, signal }),
      admin.get("/users", { query, signal }),
      admin.get("/invitations", { query: { limit: 1 }, signal }),
      admin.get("/dashboards", { query: { limit: 1 }, signal }),
      client.api.get("/auth/tokens", { signal }),
    ]);
    const isSample = sample.data.state === "LOADED";
    const own = resources.data.filter(
      ({ schema }) => schema !== "system" && !(isSample && schema === "fleet"),
    );
    const hidden = own.filter(({ exposedMethods }) => exposedMethods.length === 0);
    return {
      sample: sample.data.state,
      hidden: hidden.length,
      schemas: [...new Set(hidden.map(({ schema }) => schema))],
      /** Where a new table begins. */
      schema: own[0]?.schema ?? "public",
      done: {
        tables: own.length > hidden.length || isSample,
        role: roles.data.some(({ isAdministrators }) => !isAdministrators),
        person:
          users.data.filter(({ isSystem }) => !isSystem).length > 1 || invitations.data.length > 0,
        dashboard: dashboards.data.length > 0,
        token: tokens.data.length > 0,
      },
    };
  },
};

const steps = ["tables", "role", "person", "dashboard", "token"] as const;

/**
 * The first steps of an administrator, each with its page. Done ones are read from the data; the list goes away when all
 * are done, or when its person hides it.
 */
export function FirstSteps() {
  const t = useTranslations("firstSteps");
  const id = useId();
  const { hidesChecklist } = usePreferences();
  const { data } = useQuery({ ...stepsQuery, enabled: !hidesChecklist });
  if (hidesChecklist || data === undefined) return null;
  const { done, hidden, schemas, sample } = data;
  if (steps.every((step) => done[step])) return null;
  const open = done.tables ? steps.find((step) => !done[step]) : "tables";
  const link = (href: string, text: string, isFirst = false) => (
    <AppLink href={href} className={toolClasses(isFirst ? "primary" : "plain")}>
      {text}
    </AppLink>
  );
  const hasHidden = hidden > 0;
  const actions: Readonly<Record<(typeof steps)[number], ReactNode>> = {
    tables: (
      <>
        {hasHidden && link("/admin/open-tables", t("tables.choose"), open === "tables")}
        {link(
          `/admin/structure/${encodeURIComponent(data.schema)}/new/table`,
          t("tables.create"),
          open === "tables" && !hasHidden,
        )}
        {sample === "NONE" && <LoadSample />}
        {!done.tables && link("/admin/connect", t("tables.connect"))}
      </>
    ),
    role: link("/admin/people/roles", t("role.open"), open === "role"),
    person: link("/admin/people/invitations", t("person.open"), open === "person"),
    dashboard: link("/admin/dashboards/new", t("dashboard.open"), open === "dashboard"),
    token: link(accountPath("tokens"), t("token.open"), open === "token"),
  };
  return (
    <section
      aria-labelledby={id}
      className="rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-4 font-semibold">
          {t("title")}
        </h2>
        <ToolButton
          kind="bare"
          className="-mr-2.5"
          onClick={() => changePreferences({ hidesChecklist: true })}
        >
          {t("hide")}
        </ToolButton>
      </div>
      <ol className="mt-1 divide-y divide-line">
        {steps.map((step) => {
          const isShown = !done[step] || (step === "tables" && hasHidden);
          const text =
            step === "tables" && hasHidden
              ? t("tables.found", { count: hidden, schemas: schemas.slice(0, 3).join(", ") })
              : t(`${step}.text`);
          return (
            <Step key={step} title={t(`${step}.title`)} isDone={done[step]}>
              {isShown && (
                <>
                  <p className="text-ink-2">{text}</p>
                  <div className="flex flex-wrap gap-2">{actions[step]}</div>
                </>
              )}
            </Step>
          );
        })}
      </ol>
      {sample === "LOADED" && (
        <p className="mt-2 flex flex-wrap items-center gap-3 border-line border-t pt-3 text-ink-2">
          {t("sample")}
          <RemoveSample />
        </p>
      )}
    </section>
  );
}

function Step(props: {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}) {
  const t = useTranslations("firstSteps");
  const Icon = props.isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-3 py-3">
      <Icon
        size={16}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${props.isDone ? "text-ok" : "text-ink-3"}`}
      />
      <div className="grid min-w-0 gap-2">
        <p className="font-medium">
          {props.title}
          {props.isDone && <span className="font-normal text-ok"> · {t("done")}</span>}
        </p>
        {props.children}
      </div>
    </li>
  );
}
