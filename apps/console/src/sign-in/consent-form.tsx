import { useState } from "react";
import { useTranslations } from "use-intl";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AuthPage } from "./auth-page.tsx";
import {
  type AuthorizationRequest,
  type Consent,
  type Decision,
  decideAuthorization,
  type Scope,
} from "./authorization.ts";
import { ConsentFacts } from "./consent-facts.tsx";
import { ConsentScopes } from "./consent-scopes.tsx";

const usualDays = [7, 30, 90, 365];

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
  const [days, setDays] = useState(String(consent.days));
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
  const choices = [...new Set([...usualDays, consent.days])].sort((one, other) => one - other);
  return (
    <AuthPage title={t("title")} isWide>
      <ConsentFacts consent={consent} />
      <form noValidate onSubmit={approval.submit} className="grid gap-5">
        <ConsentScopes offered={consent.scopes} chosen={scopes} onChange={setScopes} />
        <div className="grid gap-3">
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
