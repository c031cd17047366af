import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { PersonPicker } from "../../shell/person-picker.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, inputClasses } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { actionMethods } from "../access-queries.ts";
import type { ExplainSearch } from "./explain-search.ts";

interface ExplainFormProps {
  readonly search: ExplainSearch;
  readonly faultAt: (pointer: string) => string | undefined;
  /** Asks for the explanation of a request. */
  readonly onAsk: (search: ExplainSearch, body: string) => void;
}

/** Who sends which request. */
export function ExplainForm({ search, faultAt, onAsk }: ExplainFormProps) {
  const t = useTranslations("access");
  const [user, setUser] = useState(search.user);
  const [method, setMethod] = useState(search.method ?? "GET");
  const [path, setPath] = useState(search.path ?? "");
  const [body, setBody] = useState("");
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (user !== undefined && path !== "") onAsk({ user, method, path }, body);
  };
  const missing = (value: string | undefined) =>
    isTried && (value === undefined || value === "") ? t("explain.missing") : undefined;
  return (
    <form className="grid max-w-200 gap-4" onSubmit={submit}>
      <PersonPicker
        userId={user}
        onChoose={setUser}
        fault={missing(user) ?? faultAt("/data/userId")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-[auto_minmax(0,1fr)]">
        <div className="sm:pt-8">
          <Select
            label={t("explain.method")}
            value={method}
            options={actionMethods.map((one) => ({
              value: one.method,
              label: one.method,
              isName: true,
            }))}
            onChange={setMethod}
          />
        </div>
        <TextField
          label={t("explain.path")}
          name="path"
          autoComplete="off"
          value={path}
          onChange={setPath}
          hint={t("explain.pathHint")}
          fault={missing(path) ?? faultAt("/data/path")}
        />
      </div>
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
      <div>
        <Button type="submit" kind="primary">
          {t("explain.ask")}
        </Button>
      </div>
    </form>
  );
}
