<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Environment;
use Common\Fault;
use Common\Money;
use RuntimeException;
use stdClass;

/**
 * Asks the bank for payments, through its gateway, over TLS. The gateway's certificate must be that of an authority in the
 * file that the environment names.
 */
final class PaymentGateway
{
    /** How long it may take in all, in seconds. */
    private const PATIENCE = 3.0;

    /**
     * The authorisation of a payment. To ask again with the same reference and amount pays once.
     *
     * @throws Fault if the bank declines, or doesn't answer
     */
    public static function authorize(int $reference, Card $card, Money $amount): string
    {
        $answer = self::post(http_build_query([
            'reference' => $reference,
            'number' => $card->number,
            'expiry' => $card->expiry,
            'amount' => (string) $amount,
        ]));
        return match ($answer->result ?? null) {
            'approved' => (string) ($answer->authorization ?? ''),
            'declined' => throw Refusal::declined(),
            default => throw new RuntimeException('the payment gateway gives an answer that is none'),
        };
    }

    /**
     * The JSON object that is answered.
     *
     * @throws Fault
     */
    private static function post(string $body): stdClass
    {
        $deadline = microtime(as_float: true) + self::PATIENCE;
        $url = parse_url(Environment::get('TIERBENCH_PAYMENT_URL'));
        [$host, $port, $path] = [$url['host'] ?? '', $url['port'] ?? 443, $url['path'] ?? '/'];
        $context = stream_context_create(['ssl' => ['cafile' => Environment::get('TIERBENCH_CA_FILE')]]);
        $socket = stream_socket_client("tls://{$host}:{$port}", timeout: self::PATIENCE, context: $context);
        if ($socket === false) {
            throw Refusal::noAnswer();
        }
        $length = strlen($body);
        fwrite(
            $socket,
            "POST {$path} HTTP/1.1\r\nHost: {$host}:{$port}\r\nConnection: close\r\n"
            . "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {$length}\r\n\r\n{$body}",
        );
        $answer = self::read($socket, $deadline);
        fclose($socket);
        [$head, $json] = \Common\cut($answer, "\r\n\r\n");
        if (preg_match('/\AHTTP\/1\.1 200 /', $head) !== 1) {
            throw Refusal::noAnswer();
        }
        /** @var mixed $decoded */
        $decoded = json_decode($json);
        return $decoded instanceof stdClass ? $decoded : new stdClass();
    }

    /**
     * All that comes until the other side has said everything.
     *
     * @param resource $socket
     *
     * @throws Fault if that takes too long
     */
    // @mago-expect analysis:missing-parameter-type - PHP has no type for a resource.
    private static function read($socket, float $deadline): string
    {
        $answer = '';
        while (!feof($socket)) {
            $left = $deadline - microtime(as_float: true);
            if ($left <= 0.0) {
                throw Refusal::noAnswer();
            }
            stream_set_timeout($socket, (int) $left, (int) (fmod($left, 1.0) * 1_000_000));
            $answer .= (string) fread($socket, 8_192);
        }
        return $answer;
    }
}
