/** A bucket, or the part of it under a prefix. */
export interface S3Config {
  readonly kind: "S3";
  /** The address of a server other than Amazon's. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Folders that all keys begin with, without a slash at the ends. */
  readonly prefix?: string | undefined;
  /** Without keys, the SDK uses the role of the machine or the pod. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
  /** Whether the bucket is part of the path, not of the host name. */
  readonly forcePathStyle: boolean;
  readonly serverSideEncryption?: "AES256" | "aws:kms" | undefined;
  /** Time for each attempt of a request until the head of its response, in milliseconds; 60,000 by default. */
  readonly attemptTimeoutMs?: number | undefined;
}
