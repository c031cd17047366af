import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
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
import { useSession } from "../shell/use-session.ts";
import { useTitle } from "../shell/use-title.ts";
import { needWords } from "../shell/words-store.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ResourceTable } from "./resource-table.tsx";

/** The first steps load with the texts of the administration, which other people do not need. */
const FirstSteps = lazy(async () => {
  const [{ FirstSteps: Steps }] = await Promise.all([
    import("../first-steps/first-steps.tsx"),
    needWords("administration"),
  ]);
  return { default: Steps };
});

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
        <Suspense fallback={<Skeleton label={t("loading")} rows={4} />}>
          <FirstSteps />
        </Suspense>
      )}
      {isEmpty && person?.isAdministrator === false && (
        <section className="rounded-panel border border-line bg-surface p-6">
          <h2 className="text-4 font-semibold">{t("nothing")}</h2>
          <p className="mt-1 text-ink-2">{t("nothingText")}</p>
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
