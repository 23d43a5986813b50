<?php

declare(strict_types=1);

namespace Quotes;

use SoapFault;

/** The operations of the description. What the extension hands over may lack anything, so everything is looked at. */
final class StockQuoteService
{
    private const MOST_STRUCTURES = 100;
    private const MOST_NODES = 10;

    /** 2006-12-13T00:00:00Z */
    private const DAY = 1165968000;

    /** @return array{returnQuote: array<string, mixed>} */
    public function getStockQuote(mixed $request): array
    {
        $symbol = self::text($request, 'symbol');
        if (preg_match('/\A[A-Z]{1,5}\z/', $symbol) !== 1) {
            throw self::refused('there is no such symbol');
        }
        return ['returnQuote' => self::quote($symbol)];
    }

    /** @return array{returnStruct: list<object>} */
    public function echoStruct(mixed $request): array
    {
        $structures = $request->inputStruct ?? null;
        if (!is_array($structures) || count($structures) > self::MOST_STRUCTURES) {
            throw self::refused('an array has 1 to 100 structures');
        }
        foreach ($structures as $structure) {
            self::int($structure, 'varInt');
            self::float($structure, 'varFloat');
            self::text($structure, 'varString');
        }
        return ['returnStruct' => $structures];
    }

    /** @return array{returnList: object} */
    public function echoList(mixed $request): array
    {
        $list = $request->inputList ?? null;
        $nodes = 0;
        for ($node = $list; $node !== null || $nodes === 0; $node = $node->child ?? null) {
            if (++$nodes > self::MOST_NODES) {
                throw self::refused('a list has 1 to 10 nodes');
            }
            self::int($node, 'varInt');
            self::text($node, 'varString');
        }
        return ['returnList' => $list];
    }

    /** @return array<string, mixed> */
    private static function quote(string $symbol): array
    {
        $n = crc32($symbol);
        return [
            'symbol' => $symbol,
            'volume' => (($n % 1000) + 1) * 100,
            'lastTrade' => [
                'price' => (intdiv($n, 1000) % 100000 + 1) / 100,
                'date' => gmdate('Y-m-d\TH:i:s\Z', self::DAY + $n % 86400),
            ],
            'change' => [
                'dollar' => ($n % 2001 - 1000) / 100,
                'percent' => (intdiv($n, 2001) % 2001 - 1000) / 100,
            ],
        ];
    }

    private static function text(mixed $parent, string $name): string
    {
        $value = $parent->{$name} ?? null;
        return is_string($value) ? $value : throw self::refused("{$name} is no text");
    }

    private static function int(mixed $parent, string $name): void
    {
        $value = $parent->{$name} ?? null;
        if (!is_int($value) || $value < -2147483648 || $value > 2147483647) {
            throw self::refused("{$name} is no int");
        }
    }

    private static function float(mixed $parent, string $name): void
    {
        $value = $parent->{$name} ?? null;
        if (!is_float($value) || !is_finite($value)) {
            throw self::refused("{$name} is no number");
        }
    }

    private static function refused(string $why): SoapFault
    {
        return new SoapFault('Client', $why);
    }
}
