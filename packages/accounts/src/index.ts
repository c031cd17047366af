export {
  authorizationAddresses,
  namesResource,
  requireAddresses,
} from "./authorization/addresses.ts";
export type {
  AuthorizationDependencies,
  AuthorizationRequest,
} from "./authorization/check-request.ts";
export {
  createDocumentReader,
  type FetchDocument,
  type ReadClientDocument,
} from "./authorization/client-document.ts";
export { type ConsentDecision, decideConsent } from "./authorization/decide-consent.ts";
export { type CodeExchange, exchangeCode } from "./authorization/exchange-code.ts";
export type { IssuedSecrets } from "./authorization/issue-secrets.ts";
export {
  type AuthorizationOffer,
  resourceMetadata,
  serverMetadata,
} from "./authorization/metadata.ts";
export { OAuthFault, type OAuthFaultCode } from "./authorization/oauth-fault.ts";
export { type ConsentPreview, previewConsent } from "./authorization/preview-consent.ts";
export { type RefreshExchange, refreshSecrets } from "./authorization/refresh.ts";
export { type RegisteredClient, registerClient } from "./authorization/register-client.ts";
export { revokeSecret } from "./authorization/revoke-secret.ts";
export { changeEmail } from "./change-email.ts";
export {
  createFirstAdministrator,
  createFirstSignInCode,
  firstSignInMinutes,
  hasAdministrator,
} from "./first-administrator.ts";
export { generatePassword } from "./generate-password.ts";
export {
  acceptInvitation,
  createInvitation,
  type Invitation,
  type InvitationState,
  linkInvitation,
  listInvitations,
  type NewInvitation,
  openInvitation,
  readInvitation,
  resendInvitation,
  revokeInvitation,
} from "./invitations.ts";
export {
  type AccountMail,
  type AccountMails,
  type AccountMailsOptions,
  createAccountMails,
} from "./mail/account-mails.ts";
export { templateCheck } from "./mail/check-written-templates.ts";
export { countWaitingMails } from "./mail/count-waiting-mails.ts";
export type { MailLog } from "./mail/deliver-mails.ts";
export { isMailKey, type MailKey, mailKinds } from "./mail/mail-kinds.ts";
export { createMailer, type Mail, type Mailer, type MailerOptions } from "./mail/mailer.ts";
export {
  type AccountMailsParts,
  type MailConfig,
  openAccountMails,
} from "./mail/open-account-mails.ts";
export {
  previewTemplate,
  type TemplateDraft,
  type TemplatePreview,
} from "./mail/preview-template.ts";
export { type MailTexts, renderTemplate } from "./mail/render-template.ts";
export {
  AttachmentUnavailable,
  type ReadAttachment,
  type RunAttachment,
} from "./mail/run-mail.ts";
export { type SentTestMail, sendTestMail } from "./mail/send-test-mail.ts";
export {
  builtInLanguages,
  builtInTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  type MailTemplate,
  readTemplate,
  type TemplateParts,
  tagOfTemplate,
  updateTemplate,
} from "./mail/templates.ts";
export { auditActorOf, type Origin } from "./origin.ts";
export { type OwnAccount, readOwnAccount, signOut, updateOwnAccount } from "./own-account.ts";
export { changePassword } from "./passwords/change-password.ts";
export { checkPassword } from "./passwords/check-password.ts";
export { forgotPassword, resendVerification } from "./passwords/forgot-password.ts";
export { resetPassword } from "./passwords/reset-password.ts";
export {
  createProviderClient,
  type ProviderClient,
  type ProviderIdentity,
} from "./providers/ask-provider.ts";
export {
  type LinkedAccount,
  listLinkedAccounts,
  unlinkAccount,
} from "./providers/linked-accounts.ts";
export {
  createProvider,
  knownIssuers,
  listOfferedProviders,
  type Provider,
  providerRecords,
  updateProvider,
} from "./providers/provider.ts";
export { normalizeReturnPath } from "./providers/return-path.ts";
export {
  type BegunFlow,
  beginLinking,
  beginSignIn,
  exchangeSignInCode,
  finishProviderFlow,
  type ProviderDependencies,
  refusedPage,
  type SignInReturn,
} from "./providers/sign-in-by-provider.ts";
export { purgeIdentity } from "./purge.ts";
export { type Registration, register } from "./register.ts";
export { type ResetAdministrator, resetAdministrator } from "./reset-administrator.ts";
export { requireReturnAddress } from "./return-address.ts";
export { sealedColumnsOfAccounts } from "./sealed-columns.ts";
export { endAllSessions, endSession, listSessions, type Session } from "./sessions.ts";
export { type SignedIn, type SignInInput, signIn, type UserSummary } from "./sign-in.ts";
export {
  activateToken,
  deactivateToken,
  regenerateToken,
  revokeToken,
  type TokenChanges,
  type TokenRequest,
  updateToken,
} from "./tokens/change-token.ts";
export { createToken, type NewToken } from "./tokens/create-token.ts";
export { listTokens, readToken, type TokenFilter } from "./tokens/read-tokens.ts";
export {
  type ClientKind,
  type GracePeriod,
  type OAuthClient,
  oauthClientSchema,
  type Token,
  type TokenOwner,
  type TokenScope,
  type TokenState,
  type TokenWithSecret,
  tagOfToken,
  tokenSchema,
} from "./tokens/token.ts";
export {
  type TokenWork,
  tokenBodies,
  tokenFilters,
  tokenMoves,
  tokenWork,
} from "./tokens/token-work.ts";
export { verifyEmail } from "./verify-email.ts";
