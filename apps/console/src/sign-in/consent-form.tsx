import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { signOut } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AuthPage } from "./auth-page.tsx";
import {
  type AuthorizationRequest,
  type Consent,
  type Decision,
  decideAuthorization,
  type Scope,
} from "./authorization.ts";

const usualDays = [7, 30, 90, 365];
/** Proposed, however long tokens live here otherwise. */
const proposedDays = 30;

/** Names the program, what it wants and in whose name, and sends the person's answer. */
export function ConsentForm(props: {
  readonly request: AuthorizationRequest;
  readonly consent: Consent;
  /** Called with the address that tells the program. */
  readonly onAnswered: (address: string) => void;
}) {
  const { request, consent, onAnswered } = props;
  const t = useTranslations("consent");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [name, setName] = useState(consent.tokenName);
  const [days, setDays] = useState(String(Math.min(proposedDays, consent.days)));
  const answer = async (decision: Decision["decision"]) =>
    onAnswered(
      await decideAuthorization(request, {
        ...{ decision, name, days: Number(days) },
        scopes: [...scopes],
      }),
    );
  const approval = useTask(() => answer("APPROVE"), ["/name"]);
  const denial = useTask(() => answer("DENY"), []);
  const isTaken = approval.code === "CONFLICT";
  const failure = isTaken ? undefined : (approval.failure ?? denial.failure);
  const nameFault = isTaken
    ? t("nameTaken")
    : approval.faultAt("/name") === undefined
      ? undefined
      : t("nameFault");
  const choices = [...new Set([...usualDays, consent.days, Number(days)])].sort(
    (one, other) => one - other,
  );
  return (
    <AuthPage title={t("title")} isWide>
      <ConsentFacts consent={consent} />
      <form noValidate onSubmit={approval.submit} className="grid gap-5">
        <ConsentScopes offered={consent.scopes} chosen={scopes} onChange={setScopes} />
        <details open={nameFault !== undefined} className="grid gap-3">
          <summary className="min-h-6 cursor-pointer text-ink-2">
            {t("more", { name, count: Number(days) })}
          </summary>
          <div className="grid gap-3 pt-3">
            <TextField
              label={t("name")}
              name="name"
              autoComplete="off"
              value={name}
              onChange={setName}
              hint={t("nameHint")}
              fault={nameFault}
            />
            <Select
              label={t("days")}
              value={days}
              options={choices.map((count) => ({
                value: String(count),
                label: t("dayCount", { count }),
              }))}
              onChange={setDays}
            />
          </div>
        </details>
        {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
        <div className="grid grid-cols-2 gap-2">
          <Button isWide isBusy={denial.isBusy || approval.isBusy} onPress={denial.run}>
            {t("deny")}
          </Button>
          <Button type="submit" kind="primary" isWide isBusy={approval.isBusy || denial.isBusy}>
            {t("allow")}
          </Button>
        </div>
      </form>
    </AuthPage>
  );
}

/** What the program may do, beginning with the least: a person switches on what it needs beyond reading. */
function ConsentScopes(props: {
  readonly offered: Consent["scopes"];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}) {
  const { offered, chosen, onChange } = props;
  const t = useTranslations("consent");
  const id = useId();
  return (
    <fieldset aria-describedby={id} className="grid gap-3">
      <legend className="mb-2 font-medium">{t("may")}</legend>
      {offered.map(({ name, isOffered }) => (
        <Switch
          key={name}
          label={t(`scopes.${name}`)}
          hint={isOffered ? t(`scopeTexts.${name}`) : t("notOffered")}
          isOn={chosen.includes(name)}
          isDisabled={name === "read" || !isOffered}
          onChange={(isOn) =>
            onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
          }
        />
      ))}
      <p id={id} className="text-2 text-ink-2">
        {t("never")}
      </p>
    </fieldset>
  );
}

/**
 * Who asks, where the answer goes, and whose rights it is about. The name of a program is its own claim, so the host
 * that proves it, or that nothing does, stands beside it.
 */
function ConsentFacts({ consent }: { readonly consent: Consent }) {
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
