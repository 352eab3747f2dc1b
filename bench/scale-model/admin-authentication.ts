// The ten authentication families of the Admin service with the operation counts of the source. Paths and records are
// invented, but for registration: the source shows none of the others.
import type { Row } from './rows.ts';

const OPEN = { isPublic: true } as const;
const UNKNOWN = { 401: 'Invalid credentials' } as const;
const KEPT_OUT = { ...UNKNOWN, 403: 'Account locked' } as const;
const UNSUPPORTED = { 400: 'Unsupported provider' } as const;
const TOKENS = 'AuthTokens: sessionToken! expiresAt! ttlSeconds';
const TOKENS_AGAIN = 'AuthTokens';

export const AUTHENTICATION: Readonly<Record<string, readonly Row[]>> = {
  Authentication: [
    [
      'post /auth/register',
      'Register with email and password',
      'email! password! displayName locale',
      'RegisterResponse: userId! email! displayName createdAt!',
      {
        ...OPEN,
        kind: 'create',
        declares: {
          201: 'Registration successful',
          400: 'A field is missing or rejected',
          409: 'Email already registered',
        },
      },
    ],
    [
      'post /auth/login',
      'Sign in with email and password',
      'email! password! rememberMe deviceName',
      TOKENS,
      { ...OPEN, declares: KEPT_OUT },
    ],
    ['post /auth/login/link', 'Send a sign-in link', 'email! locale', '', OPEN],
    [
      'post /auth/login/link/confirm',
      'Sign in by the link',
      'challenge! deviceName',
      TOKENS_AGAIN,
      { ...OPEN, declares: UNKNOWN },
    ],
    ['post /auth/refresh', 'Exchange a refresh token', 'challenge!', TOKENS_AGAIN, { ...OPEN, declares: KEPT_OUT }],
    [
      'get /auth/session',
      'Read the current session',
      '',
      'Session: sessionId! deviceName ipAddress createdAt! expiresAt!',
    ],
    ['get /auth/sessions', 'List the sessions of the account', '', 'Session[]'],
    ['get /auth/sessions/{sessionId}', 'Read one session', '', 'Session'],
    ['patch /auth/sessions/{sessionId}', 'Rename the device of a session', 'deviceName!', 'Session'],
    ['delete /auth/sessions/{sessionId}', 'End one session', '', ''],
    ['post /auth/logout', 'Sign out', '', ''],
    ['post /auth/logout/all', 'Sign out everywhere', 'reason', ''],
    ['post /auth/password/forgot', 'Send a reset link', 'email! locale', '', OPEN],
    [
      'post /auth/password/reset',
      'Set a password by the link',
      'challenge! password!',
      '',
      { ...OPEN, declares: { 400: 'The link is not valid any more' } },
    ],
    ['post /auth/password/change', 'Change the password', 'password! reason', ''],
    ['post /auth/email/verify', 'Verify the email address', 'challenge!', '', OPEN],
    ['post /auth/email/verify/resend', 'Send the verification once more', 'email!', '', OPEN],
    ['get /auth/me', 'Read who the token belongs to', '', 'Identity: userId! email! displayName! role locale scopes'],
  ],
  'Authentication - MFA': [
    [
      'get /auth/mfa',
      'Read which second factors there are',
      '',
      'SecondFactorState: isActive! method recoveryCodes updatedAt',
    ],
    [
      'get /auth/mfa/factors',
      'List the second factors',
      '',
      'SecondFactor[]: factorId! method! label isDefault createdAt!',
    ],
    ['post /auth/mfa/factors', 'Enrol a second factor', 'method! label phone', 'SecondFactor', { kind: 'create' }],
    ['get /auth/mfa/factors/{factorId}', 'Read a second factor', '', 'SecondFactor'],
    ['patch /auth/mfa/factors/{factorId}', 'Rename a second factor', 'label!', 'SecondFactor'],
    ['delete /auth/mfa/factors/{factorId}', 'Remove a second factor', '', ''],
    ['post /auth/mfa/factors/{factorId}/challenge', 'Ask for a code', 'locale', 'Challenge: challenge! expiresAt!'],
    ['post /auth/mfa/factors/{factorId}/verify', 'Answer with the code', 'challenge! confirmationCode!', TOKENS_AGAIN],
    ['post /auth/mfa/factors/{factorId}/default', 'Make it the one that is asked first', '', 'SecondFactor'],
    ['post /auth/mfa/enable', 'Demand a second factor at sign-in', 'confirmationCode!', 'SecondFactorState'],
    ['post /auth/mfa/disable', 'Demand none any more', 'confirmationCode! password!', 'SecondFactorState'],
    [
      'get /auth/mfa/recovery-codes',
      'Tell how many recovery codes are left',
      '',
      'RecoveryCodeState: quantity! createdAt!',
    ],
    [
      'post /auth/mfa/recovery-codes',
      'Make new recovery codes',
      'confirmationCode!',
      'RecoveryCodes: recoveryCodes! expiresAt',
    ],
    ['post /auth/mfa/recovery-codes/use', 'Sign in with a recovery code', 'challenge! code!', TOKENS_AGAIN],
  ],
  'Auth - Social Accounts': [
    [
      'get /auth/social/accounts',
      'List the connected accounts',
      '',
      'SocialAccount[]: socialAccountId! provider! email displayName createdAt!',
    ],
    ['get /auth/social/accounts/{socialAccountId}', 'Read a connected account', '', 'SocialAccount'],
    [
      'post /auth/social/{provider}/connect',
      'Connect an account',
      'challenge! callbackUrl',
      'SocialAccount',
      { declares: UNSUPPORTED },
    ],
    [
      'post /auth/social/{provider}/login',
      'Sign in through a provider',
      'challenge! deviceName',
      TOKENS_AGAIN,
      { ...OPEN, declares: { ...UNSUPPORTED, ...UNKNOWN } },
    ],
    ['delete /auth/social/accounts/{socialAccountId}', 'Disconnect an account', '', ''],
  ],
  'Authentication - Account Management': [
    [
      'get /auth/account',
      'Read the account',
      '',
      'Account: userId! email! displayName! phone locale status createdAt!',
    ],
    [
      'post /auth/account/export',
      'Ask for a copy of all data',
      'format! recipients',
      'DataExport: dataExportId! status! url expiresAt',
    ],
    ['get /auth/account/export/status', 'Read how far the copy is', '', 'DataExport'],
    ['delete /auth/account', 'Delete the account', '', ''],
  ],
  'Authentication - Email Change': [
    ['get /auth/email-change', 'Read the pending change', '', 'EmailChange: email! expiresAt status'],
    [
      'post /auth/email-change',
      'Start a change',
      'email! password!',
      'EmailChange',
      { declares: { 409: 'Email already registered' } },
    ],
    [
      'post /auth/email-change/confirm',
      'Confirm the change',
      'confirmationCode!',
      'EmailChange',
      { declares: { 400: 'The code is not valid' } },
    ],
    ['post /auth/email-change/withdraw', 'Withdraw the change', '', ''],
  ],
  'Authentication - Phone': [
    ['get /auth/phone', 'Read the phone number', '', 'PhoneNumber: phone! status updatedAt'],
    ['put /auth/phone', 'Change the phone number', 'phone! password!', 'PhoneNumber'],
    ['post /auth/phone/verify', 'Verify it by the code', 'confirmationCode!', 'PhoneNumber'],
    ['delete /auth/phone', 'Remove the phone number', '', ''],
  ],
  'Authentication - Secondary Email': [
    [
      'get /auth/secondary-emails',
      'List the secondary addresses',
      '',
      'SecondaryEmail[]: secondaryEmailId! email! status createdAt!',
    ],
    ['post /auth/secondary-emails', 'Add a secondary address', 'email! label', 'SecondaryEmail', { kind: 'create' }],
    [
      'post /auth/secondary-emails/{secondaryEmailId}/verify',
      'Verify it by the code',
      'confirmationCode!',
      'SecondaryEmail',
    ],
    ['delete /auth/secondary-emails/{secondaryEmailId}', 'Remove a secondary address', '', ''],
  ],
  'Authentication - Avatar & Preferences': [
    ['put /auth/avatar', 'Set the avatar', 'url! label', 'Avatar: url! label updatedAt'],
    [
      'get /auth/preferences',
      'Read the preferences',
      '',
      'Preferences: locale! timeZone color notify isVisible metadata',
    ],
    ['patch /auth/preferences', 'Change preferences', 'locale timeZone color notify isVisible metadata', 'Preferences'],
  ],
  'Authentication - Profile': [
    [
      'get /auth/profile',
      'Read the profile',
      '',
      'Profile: userId! displayName! firstName lastName image address locale updatedAt',
    ],
    ['patch /auth/profile', 'Change the profile', 'displayName firstName lastName address locale', 'Profile'],
    ['put /auth/profile', 'Replace the profile', 'displayName! firstName! lastName! address locale', 'Profile'],
  ],
  'Authentication - Identity Confirmation': [
    ['post /auth/identity/challenge', 'Ask to confirm who one is', 'method! reason', 'Challenge'],
    [
      'post /auth/identity/confirm',
      'Confirm it',
      'challenge! confirmationCode!',
      'IdentityConfirmation: sessionToken expiresAt!',
    ],
  ],
};
