<?php

declare(strict_types=1);

namespace Quotes;

use SoapServer;

require __DIR__ . '/Element.php';
require __DIR__ . '/StockQuoteService.php';

/** More than that is not read. */
const LONGEST_BODY = 2 * 1024 * 1024;

const SERVICE = '/quotes/StockQuoteService';

const PLAIN = '/quotes/PlainQuote';

/** How each path is asked for. The files are sent by the web server. */
const METHODS = [
    SERVICE => 'POST',
    PLAIN => 'POST',
    '/quotes/quote.xml' => 'GET',
    '/quotes/StockQuoteService.wsdl' => 'GET',
];

function refuse(int $status): void
{
    http_response_code($status);
    header('Content-Type: text/plain; charset=utf-8');
}

/** The same answer without a SOAP engine. */
function answer_plainly(): void
{
    header('Content-Type: text/xml; charset=utf-8');
    readfile(dirname(__DIR__) . '/static/quotes/quote.xml');
}

/** What the extension says of a value of another type than the description has, and of a document type. */
const REFUSALS = '/SOAP-ERROR: Encoding: Violation of encoding rules|DTD are not supported by SOAP/';

/** The extension blames the server for what is the client's. */
function blame_the_client(string $answer): string
{
    if (http_response_code() !== 500 || preg_match(REFUSALS, $answer) !== 1) {
        return $answer;
    }
    $answer = strtr($answer, ['SOAP-ENV:Server' => 'SOAP-ENV:Client', 'env:Receiver' => 'env:Sender']);
    header('Content-Length: ' . strlen($answer));
    return $answer;
}

function serve(string $message): void
{
    ob_start(blame_the_client(...));
    $server = new SoapServer(dirname(__DIR__) . '/static/quotes/StockQuoteService.wsdl', [
        // An array of one is an array, too.
        'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
        'cache_wsdl' => WSDL_CACHE_MEMORY,
    ]);
    $server->setObject(new StockQuoteService());
    $server->handle($message);
}

function answer(string $path, string $method): void
{
    $expected = METHODS[$path] ?? null;
    if ($expected !== $method || $expected !== 'POST') {
        refuse($expected === null || $expected === $method ? 404 : 405);
        return;
    }
    $message = (string) file_get_contents('php://input', length: LONGEST_BODY + 1);
    if (strlen($message) > LONGEST_BODY) {
        refuse(413);
        return;
    }
    $path === SERVICE ? serve($message) : answer_plainly();
}

answer(explode('?', $_SERVER['REQUEST_URI'], 2)[0], $_SERVER['REQUEST_METHOD']);
