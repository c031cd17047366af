import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { accountPath } from "../shell/account-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { Circle, CircleCheck } from "../ui/icons.generated.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { ToolButton } from "../ui/tool-button.tsx";

const reference = "/admin/reference?of=admin";
const steps = ["table", "role", "person", "token"] as const;

/**
 * The first steps of an administrator. Each done one is read from the data; the list disappears when all are done, or when
 * its person hides it.
 */
export function Checklist({ hasTable }: { readonly hasTable: boolean }) {
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
