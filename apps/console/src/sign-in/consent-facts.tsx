import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { signOut } from "../shell/client.ts";
import { linkClasses } from "../ui/link-classes.ts";
import type { Consent } from "./authorization.ts";

/**
 * Who asks, where the answer goes, and whose rights it is about. The name of a program is its own claim, so the host
 * that proves it, or that nothing does, stands beside it.
 */
export function ConsentFacts({ consent }: { readonly consent: Consent }) {
  const t = useTranslations("consent");
  const { client, redirectUri, redirectHost, isLoopback, account } = consent;
  const isProven = client.kind === "DOCUMENT";
  return (
    <div className="grid gap-4">
      <div className="grid gap-0.5">
        <p className="text-4 font-semibold wrap-anywhere" dir="auto">
          {client.name}
        </p>
        <p>{t("wants")}</p>
      </div>
      <dl className="grid gap-3 rounded-control bg-sunken px-3 py-2.5">
        <Fact term={t(isProven ? "publishedBy" : "unproven")}>
          {isProven ? (
            <span className="font-medium wrap-anywhere" dir="ltr">
              <bdi>{client.host}</bdi>
            </span>
          ) : (
            t("unprovenText")
          )}
        </Fact>
        <Fact term={t("leadsTo")}>
          {isLoopback ? (
            t("loopback")
          ) : (
            <bdi className="font-medium wrap-anywhere">{redirectHost}</bdi>
          )}
          <code className="block font-mono text-2 text-ink-2 wrap-anywhere" dir="ltr">
            {redirectUri}
          </code>
        </Fact>
        <Fact term={t("person")}>
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="wrap-anywhere">
              <bdi>{account.name}</bdi> <bdi className="text-ink-2">{account.email}</bdi>
            </span>
            <button type="button" onClick={() => void signOut()} className={linkClasses}>
              {t("otherAccount")}
            </button>
          </span>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-2 text-ink-2">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
