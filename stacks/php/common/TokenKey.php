<?php

declare(strict_types=1);

namespace Common;

use SensitiveParameter;

/**
 * The key with which log-in tokens are signed. A token is `user.expires.signature`: the user's id, the second since
 * the Unix epoch after which it is worth nothing, and the HMAC-SHA256 of `user.expires`, in hexadecimal.
 */
final readonly class TokenKey
{
    private const LIFE = 3600;

    public function __construct(
        #[SensitiveParameter]
        private string $key,
    ) {}

    /** The token of a user who logs in now. */
    public function sign(int $user): string
    {
        $claim = $user . '.' . (time() + self::LIFE);
        return $claim . '.' . $this->signature($claim);
    }

    /** The user whom a token proves; null if it is forged, altered or expired. */
    public function verify(#[SensitiveParameter] string $token): ?int
    {
        [$user, $rest] = cut($token, '.');
        [$expires, $signature] = cut($rest, '.');
        $isSigned = hash_equals($this->signature("{$user}.{$expires}"), $signature);
        return $isSigned && time() <= (int) $expires ? (int) $user : null;
    }

    /**
     * A number that the site gives out as the value of a parameter and takes back only unaltered: the number and the
     * HMAC-SHA256 of `name=number`, in hexadecimal.
     */
    public function seal(string $name, int $number): string
    {
        return $number . '.' . $this->signature("{$name}={$number}");
    }

    /** The number that was sealed for a parameter; null if it is forged or altered. */
    public function open(string $name, string $sealed): ?int
    {
        [$number, $signature] = cut($sealed, '.');
        return hash_equals($this->signature("{$name}={$number}"), $signature) ? (int) $number : null;
    }

    private function signature(string $claim): string
    {
        return hash_hmac('sha256', $claim, $this->key);
    }
}
