// A client of the platform in Go that keeps the contract, and the command that `assay client` runs:
//
//	go build -o my-client ./examples/clients/go-right && assay client -- ./my-client
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"time"
)

const mostAttempts = 4

var (
	baseURL = os.Getenv("ASSAY_BASE_URL")
	token   = os.Getenv("ASSAY_TOKEN")
	store   = os.Getenv("ASSAY_STORE_ID")
	client  = &http.Client{
		Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
)

type item struct {
	ID string `json:"id"`
}

// call performs the request, again where the platform says so; the same key goes with each attempt.
func call(method, path string, body, into any) error {
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
	}
	key := newKey()
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, baseURL+path, bytes.NewReader(data))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		if method == http.MethodPost {
			request.Header.Set("Idempotency-Key", key)
		}
		status, code, retryAfter := 0, "unreachable", ""
		if response, err := client.Do(request); err == nil {
			status, retryAfter = response.StatusCode, response.Header.Get("Retry-After")
			if status < 300 {
				defer response.Body.Close()
				return json.NewDecoder(response.Body).Decode(into)
			}
			code = codeOf(response)
			response.Body.Close()
		}
		wait, again := waitFor(status, retryAfter, attempt)
		if !again || attempt == mostAttempts {
			return fmt.Errorf("the platform answered %d %s", status, code)
		}
		time.Sleep(wait)
	}
}

func waitFor(status int, retryAfter string, attempt int) (time.Duration, bool) {
	doubled := time.Duration(1 << (attempt - 1))
	switch {
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		if seconds, err := strconv.Atoi(retryAfter); err == nil {
			return time.Duration(seconds) * time.Second, true
		}
		if until, err := http.ParseTime(retryAfter); err == nil {
			return time.Until(until), true
		}
		jitter := time.Duration(mathrand.Intn(250)) * time.Millisecond
		return min(doubled*time.Second, 30*time.Second) + jitter, true
	case status == 0 || status >= 500:
		return doubled * 250 * time.Millisecond, true
	}
	return 0, false
}

func codeOf(response *http.Response) string {
	var body struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.NewDecoder(response.Body).Decode(&body) != nil {
		return "unknown"
	}
	return body.Error.Code
}

func newKey() string {
	key := make([]byte, 16)
	rand.Read(key)
	return hex.EncodeToString(key)
}

func walkLogs() error {
	for page, pages := 1, 1; page <= pages; page++ {
		var answer struct {
			Data       []item `json:"data"`
			TotalPages int    `json:"total_pages"`
		}
		if err := call("GET", fmt.Sprintf("/api/v1/auth/activity/logs?page=%d&limit=40", page), nil, &answer); err != nil {
			return err
		}
		pages = answer.TotalPages
		printIDs(answer.Data)
	}
	return nil
}

func walkNotifications() error {
	for offset := 0; ; {
		var items []item
		path := fmt.Sprintf("/api/v1/stores/%s/domains/notifications?limit=25&offset=%d", store, offset)
		if err := call("GET", path, nil, &items); err != nil || len(items) == 0 {
			return err
		}
		offset += len(items)
		printIDs(items)
	}
}

func printIDs(items []item) {
	for _, one := range items {
		fmt.Println(one.ID)
	}
}

func main() {
	var err error
	var made item
	switch os.Getenv("ASSAY_TASK") {
	case "read-store":
		err = call("GET", "/api/v1/stores/"+store, nil, &made)
	case "walk-logs":
		err = walkLogs()
	case "walk-notifications":
		err = walkNotifications()
	case "create-store":
		err = call("POST", "/api/v1/stores", map[string]any{"name": "Example store"}, &made)
	case "pay":
		err = call("POST", "/api/v1/stores/process-payment", map[string]any{"amount": 1999}, &made)
	default:
		os.Exit(64)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
