<?php

declare(strict_types=1);

namespace Quotes;

use SoapFault;

/** The operations of the description. */
final class StockQuoteService
{
    private const MOST_STRUCTURES = 100;
    private const MOST_NODES = 10;

    /** 2006-12-13T00:00:00Z */
    private const DAY = 1_165_968_000;
    private const SECONDS_OF_A_DAY = 86_400;

    /**
     * @return array{returnQuote: array<string, mixed>}
     *
     * @throws SoapFault
     */
    public function getStockQuote(mixed $request): array
    {
        $symbol = Element::of($request)->text('symbol');
        if (preg_match('/\A[A-Z]{1,5}\z/', $symbol) !== 1) {
            throw Element::refused('there is no such symbol');
        }
        return ['returnQuote' => self::quote($symbol)];
    }

    /**
     * @return array{returnStruct: list<object>}
     *
     * @throws SoapFault
     */
    public function echoStruct(mixed $request): array
    {
        $structures = Element::of($request)->all('inputStruct');
        if ($structures === [] || count($structures) > self::MOST_STRUCTURES) {
            throw Element::refused('an array has 1 to 100 structures');
        }
        foreach ($structures as $structure) {
            $structure->expectInt('varInt');
            $structure->expectFloat('varFloat');
            $structure->text('varString');
        }
        return ['returnStruct' => array_map(static fn(Element $one): object => $one->source, $structures)];
    }

    /**
     * @return array{returnList: object}
     *
     * @throws SoapFault
     */
    public function echoList(mixed $request): array
    {
        $list = Element::of($request)->child('inputList') ?? throw Element::refused('there is no list');
        $nodes = 0;
        for ($node = $list; $node !== null; $node = $node->child('child')) {
            if (++$nodes > self::MOST_NODES) {
                throw Element::refused('a list has 1 to 10 nodes');
            }
            $node->expectInt('varInt');
            $node->text('varString');
        }
        return ['returnList' => $list->source];
    }

    /** @return array<string, mixed> */
    private static function quote(string $symbol): array
    {
        $n = crc32($symbol);
        return [
            'symbol' => $symbol,
            'volume' => (($n % 1_000) + 1) * 100,
            'lastTrade' => [
                'price' => ((intdiv($n, 1_000) % 100_000) + 1) / 100,
                'date' => gmdate('Y-m-d\TH:i:s\Z', self::DAY + ($n % self::SECONDS_OF_A_DAY)),
            ],
            'change' => [
                'dollar' => (($n % 2_001) - 1_000) / 100,
                'percent' => ((intdiv($n, 2_001) % 2_001) - 1_000) / 100,
            ],
        ];
    }
}
