import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { FileField } from "../records/files/import-parts.tsx";
import { useTitle } from "../shell/use-title.ts";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Select } from "../ui/select.tsx";
import { ConfigurationTrail } from "./configuration-trail.tsx";
import { PlanReview } from "./plan-review.tsx";
import { type Files, readZip, unpackedBytesMax, ZipError } from "./zip.ts";

interface Chosen {
  readonly name: string;
  readonly files: Files;
  /** Distinguishes it from a zip of the same name that was chosen before. */
  readonly number: number;
}

/** Takes a zip with files, and shows what they would change. */
export function ImportPage() {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const [chosen, setChosen] = useState<Chosen>();
  const [failure, setFailure] = useState<ZipError>();
  const [environment, setEnvironment] = useState("");
  useTitle(t("importTitle"));
  const environments = Object.keys(chosen?.files ?? {}).flatMap((path) => {
    const [, name] = /^environments\/([A-Za-z0-9_-]+)\.yaml$/.exec(path) ?? [];
    return name === undefined ? [] : [name];
  });
  const onFile = async (file: File) => {
    setFailure(undefined);
    setEnvironment("");
    try {
      const files = await readZip(file);
      setChosen((last) => ({ name: file.name, files, number: (last?.number ?? 0) + 1 }));
    } catch (error) {
      setChosen(undefined);
      setFailure(error instanceof ZipError ? error : new ZipError("NO_ZIP"));
    }
  };
  return (
    <div className={pageClasses}>
      <PageHead trail={<ConfigurationTrail />} title={t("importTitle")} text={t("importText")} />
      <div className="max-w-140">
        <FileField
          label={t("zip")}
          hint={t("zipHint", { megabytes: format.number(unpackedBytesMax / 1_000_000) })}
          accept=".zip,application/zip"
          onFile={(file) => void onFile(file)}
        />
      </div>
      {failure !== undefined && (
        <Notice kind="danger">{t(`zipFaults.${failure.fault}`, { path: failure.path })}</Notice>
      )}
      {chosen !== undefined && (
        <>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <p className="text-ink-2">
              {t("fileCount", {
                name: chosen.name,
                count: Object.keys(chosen.files).length,
                number: format.number(Object.keys(chosen.files).length),
              })}
            </p>
            {environments.length > 0 && (
              <Select
                label={t("environment")}
                value={environment}
                options={[
                  { value: "", label: t("noEnvironment") },
                  ...environments.map((value) => ({ value, label: value, isName: true })),
                ]}
                onChange={setEnvironment}
              />
            )}
          </div>
          <PlanReview
            key={`${chosen.number} ${environment}`}
            id={`zip ${chosen.number}`}
            files={chosen.files}
            environment={environment === "" ? undefined : environment}
          />
        </>
      )}
    </div>
  );
}
