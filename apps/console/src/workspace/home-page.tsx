import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { accountPath } from "../shell/account-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { useFailureText } from "../shell/failure-text.ts";
import {
  type HomeEntry,
  type HomeKey,
  homeEntries,
  isSameEntry,
  useHome,
} from "../shell/home-entries.ts";
import { type Navigation, navigationQuery, personQuery } from "../shell/navigation.ts";
import { PinButton } from "../shell/pin-button.tsx";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { useSession } from "../shell/use-session.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Circle, CircleCheck } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { ResourceTable } from "./resource-table.tsx";

/** The first page of the workspace: everything that the person may open. */
export function HomePage() {
  const t = useTranslations("workspace");
  const describe = useFailureText();
  const session = useSession();
  const { data: person } = useQuery(personQuery);
  const { data, error, refetch } = useQuery(navigationQuery);
  useTitle(t("home"));
  const name = person?.name || session?.user.name || session?.user.email || "";
  const isEmpty =
    data !== undefined &&
    data.resources.length + data.dataViews.length + data.dashboards.length === 0;
  return (
    <div className="grid max-w-240 gap-6 p-4 md:p-8">
      <div className="grid gap-1">
        <h1 className="text-5 font-semibold wrap-anywhere">{t("hello", { name })}</h1>
        {!isEmpty && <p className="text-ink-2">{t("intro")}</p>}
      </div>
      {error !== null && (
        <div className="grid justify-items-start gap-3">
          <Notice kind="danger">{describe(error)}</Notice>
          <Button onPress={() => void refetch()}>{t("retry")}</Button>
        </div>
      )}
      {data === undefined && error === null && <Skeleton label={t("loading")} rows={6} />}
      {person?.isAdministrator === true && data !== undefined && (
        <Checklist hasTable={data.resources.length > 0} />
      )}
      {isEmpty && (
        <section className="rounded-panel border border-line bg-surface p-6">
          <h2 className="text-4 font-semibold">{t("nothing")}</h2>
          <p className="mt-1 text-ink-2">
            {person?.isAdministrator === true ? t("nothingAdministrator") : t("nothingText")}
          </p>
        </section>
      )}
      {data !== undefined && <HomeLists navigation={data} />}
      {data !== undefined && data.resources.length > 0 && (
        <ResourceTable resources={data.resources} />
      )}
    </div>
  );
}

/** How many of the things that were opened last are shown. */
const recentShown = 8;

/** What the person works with: dashboards, what they pinned, what they opened last, DataViews. */
function HomeLists({ navigation }: { readonly navigation: Navigation }) {
  const t = useTranslations("home");
  const words = useTranslations("workspace");
  const { pinned, recent } = useHome();
  const all = homeEntries(navigation);
  // What the person may open no longer is left out.
  const known = (keys: readonly HomeKey[]) =>
    keys.flatMap((key) => all.filter((entry) => isSameEntry(entry, key)));
  return (
    <>
      <EntryList
        title={words("dashboards")}
        entries={all.filter(({ kind }) => kind === "dashboard")}
      />
      <EntryList title={t("pinned")} entries={known(pinned)} />
      <EntryList title={t("recent")} entries={known(recent).slice(0, recentShown)} />
      <EntryList
        title={words("dataViews")}
        entries={all.filter(({ kind }) => kind === "dataView")}
      />
    </>
  );
}

interface EntryListProps {
  readonly title: string;
  readonly entries: readonly HomeEntry[];
}

/** Things that the person may open, each with a button that pins it. */
function EntryList({ title, entries }: EntryListProps) {
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-4 font-semibold">
        {title}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-2">
        {entries.map((entry) => (
          <EntryCard key={`${entry.kind} ${entry.id}`} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function EntryCard({ entry }: { readonly entry: HomeEntry }) {
  const { name, detail, icon: Icon, href } = entry;
  return (
    <li className="relative flex min-w-0 items-start gap-2.5 rounded-panel border border-line bg-surface py-2.5 pr-2 pl-3 hover:border-line-strong">
      <Icon size={16} aria-hidden="true" className="mt-1 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <AppLink
          href={href}
          title={name}
          dir="auto"
          // The whole card is the target of the link, below its button.
          className="block truncate py-0.5 font-medium underline-offset-2 after:absolute after:inset-0 hover:text-accent hover:underline"
        >
          {name}
        </AppLink>
        {detail !== "" && (
          <p dir="auto" title={detail} className="truncate text-2 text-ink-2">
            {detail}
          </p>
        )}
      </div>
      <span className="relative z-1">
        <PinButton entry={entry} name={name} />
      </span>
    </li>
  );
}

const reference = "/admin/reference?of=admin";
const steps = ["table", "role", "person", "token"] as const;

/**
 * The first steps of an administrator. Each done one is read from the data; the list disappears when all are done, or when
 * its person hides it.
 */
function Checklist({ hasTable }: { readonly hasTable: boolean }) {
  const t = useTranslations("checklist");
  const id = useId();
  const { hidesChecklist } = usePreferences();
  const { data } = useQuery({
    queryKey: ["checklist"],
    enabled: !hidesChecklist,
    // A step may have been done on another page a moment ago.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      // Besides the built-in role and the first administrator, one record is enough.
      const query = { limit: 3 };
      const [roles, users, tokens] = await Promise.all([
        client.admin.get("/roles", { query, signal }),
        client.admin.get("/users", { query, signal }),
        client.api.get("/auth/tokens", { signal }),
      ]);
      return {
        role: roles.data.some(({ isAdministrators }) => !isAdministrators),
        person: users.data.filter(({ isSystem }) => !isSystem).length > 1,
        token: tokens.data.length > 0,
      };
    },
  });
  if (hidesChecklist || data === undefined) return null;
  const done = { ...data, table: hasTable };
  if (steps.every((step) => done[step])) return null;
  return (
    <section
      aria-labelledby={id}
      className="rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 id={id} className="text-4 font-semibold">
          {t("title")}
        </h2>
        <ToolButton kind="bare" onClick={() => changePreferences({ hidesChecklist: true })}>
          {t("hide")}
        </ToolButton>
      </div>
      <ol className="mt-2 grid gap-3">
        {steps.map((step) => (
          <Step key={step} step={step} isDone={done[step]} />
        ))}
      </ol>
    </section>
  );
}

function Step(props: { readonly step: (typeof steps)[number]; readonly isDone: boolean }) {
  const t = useTranslations("checklist");
  const { step, isDone } = props;
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-3">
      <Icon
        size={16}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${isDone ? "text-ok" : "text-ink-3"}`}
      />
      <div className="min-w-0">
        <p className="font-medium">
          {t(`${step}.title`)}
          {isDone && <span className="font-normal text-ok"> · {t("done")}</span>}
        </p>
        {!isDone && (
          <p className="text-ink-2">
            {t(`${step}.text`)}{" "}
            {step === "token" ? (
              <AppLink href={accountPath("tokens")} className={linkClasses}>
                {t("openTokens")}
              </AppLink>
            ) : (
              <AppLink href={reference} className={linkClasses}>
                {t("openReference", { section: t(`${step}.section`) })}
              </AppLink>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
