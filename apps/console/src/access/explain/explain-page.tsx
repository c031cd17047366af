import { RowhouseError } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { viewAsPath } from "../../grants/model/access-paths.ts";
import { actionMethods } from "../../grants/model/grant-queries.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { PersonPicker } from "../../shell/person-picker.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { Button } from "../../ui/button.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Field, inputClasses } from "../../ui/field.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ExplainSearch } from "../access-search.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { ExpertFields, isPicked, RequestPicker } from "../request-picker.tsx";
import { ExplanationView, useExplanation } from "./explanation-view.tsx";

const route = getRouteApi("/frame/admin/access/explain");

/** Why a person gets the answer of a request. */
export function ExplainPage() {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [body, setBody] = useState("");
  useTitle(t("explain.title"));
  const { data, error, isFetching, refetch } = useExplanation(search, body);
  const faults = error instanceof RowhouseError ? error.faults : [];
  const faultAt = (pointer: string) => faults.find(({ path }) => path === pointer)?.message;
  const isShown = ["/data/userId", "/data/path", "/data/body"].some(
    (pointer) => faultAt(pointer) !== undefined,
  );
  const { user, method, path } = search;
  return (
    <div className={pageClasses}>
      <PageHead title={t("explain.title")} text={t("explain.text")} />
      <AccessTabs />
      <ExplainForm
        key={`${user} ${method} ${path}`}
        search={search}
        faultAt={faultAt}
        onAsk={(next, given) => {
          const isSame = next.user === user && next.method === method && next.path === path;
          setBody(given);
          if (isSame && given === body) void refetch();
          else void navigate({ search: next });
        }}
      />
      {user !== undefined && (
        <p className="flex flex-wrap gap-x-4">
          <AppLink
            href={`/admin/people/users/${encodeURIComponent(user)}?tab=permissions`}
            className={linkClasses}
          >
            {t("explain.allPermissions")}
          </AppLink>
          {path !== undefined && (method ?? "GET") === "GET" && (
            <AppLink href={viewAsPath({ user, path })} className={linkClasses}>
              {t("explain.seeIt")}
            </AppLink>
          )}
        </p>
      )}
      {error !== null && !isShown && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && isFetching && <Skeleton label={words("loading")} rows={6} />}
      {data !== undefined && error === null && (
        <ExplanationView explanation={data} search={search} />
      )}
    </div>
  );
}

interface ExplainFormProps {
  readonly search: ExplainSearch;
  readonly faultAt: (pointer: string) => string | undefined;
  /** Asks for the explanation of a request. */
  readonly onAsk: (search: ExplainSearch, body: string) => void;
}

/** Who sends which request. */
function ExplainForm({ search, faultAt, onAsk }: ExplainFormProps) {
  const t = useTranslations("access");
  const [user, setUser] = useState(search.user);
  const [method, setMethod] = useState(search.method ?? "GET");
  const [path, setPath] = useState(search.path ?? "");
  const [isExpert] = useState(!isPicked(search.path ?? ""));
  const [body, setBody] = useState("");
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (user !== undefined && path !== "") onAsk({ user, method, path }, body);
  };
  const missing = (value: string | undefined, word: Parameters<typeof t>[0]) =>
    isTried && (value === undefined || value === "") ? t(word) : undefined;
  return (
    <form className="grid max-w-200 gap-4" onSubmit={submit}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <PersonPicker
          userId={user}
          onChoose={setUser}
          fault={missing(user, "explain.missingPerson") ?? faultAt("/data/userId")}
        />
        <div className="sm:pt-8">
          <Select
            label={t("explain.method")}
            value={method}
            options={actionMethods.map((one) => ({
              value: one.method,
              label: t(`menu.what.${one.action}`),
            }))}
            onChange={setMethod}
          />
        </div>
      </div>
      <RequestPicker
        path={path}
        hasRow={method !== "POST"}
        fault={
          missing(path, "explain.missingTable") ??
          (isPicked(path) ? faultAt("/data/path") : undefined)
        }
        onChange={setPath}
      />
      <ExpertFields isOpen={isExpert}>
        <TextField
          label={t("explain.path")}
          name="path"
          autoComplete="off"
          value={path}
          onChange={setPath}
          hint={t("explain.pathHint")}
          fault={isPicked(path) ? undefined : faultAt("/data/path")}
        />
        {method !== "GET" && (
          <Field id="explain-body" label={t("explain.body")} fault={faultAt("/data/body")}>
            <textarea
              id="explain-body"
              value={body}
              rows={4}
              spellCheck={false}
              onChange={(event) => setBody(event.target.value)}
              className={`${inputClasses} h-auto py-2 font-mono text-2`}
            />
          </Field>
        )}
      </ExpertFields>
      <div>
        <Button type="submit" kind="primary">
          {t("explain.ask")}
        </Button>
      </div>
    </form>
  );
}
