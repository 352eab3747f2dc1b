// A client of the platform in Go as it is written in a hurry: `assay client` says what is wrong.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func call(method, path string, body []byte) []byte {
	for {
		request, _ := http.NewRequest(method, os.Getenv("ASSAY_BASE_URL")+path, bytes.NewReader(body))
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ASSAY_TOKEN"))
		request.Header.Set("Content-Type", "application/json")
		// Wrong: redirects are followed, payments have no key, and everything but a success is tried for ever, ten times a second.
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		data, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode < 300 {
			return data
		}
		// Wrong: the whole error is logged.
		log.Println(response.StatusCode, string(data))
		time.Sleep(100 * time.Millisecond)
	}
}

func main() {
	store := os.Getenv("ASSAY_STORE_ID")
	switch os.Getenv("ASSAY_TASK") {
	case "read-store":
		call("GET", "/api/v1/stores/"+store, nil)
	case "pay":
		call("POST", "/api/v1/stores/process-payment", []byte(`{"amount":1999}`))
	case "walk-notifications":
		// Wrong: a second page that is there is not asked for.
		var items []struct{ ID string }
		json.Unmarshal(call("GET", "/api/v1/stores/"+store+"/domains/notifications?limit=100", nil), &items)
		for _, one := range items {
			fmt.Println(one.ID)
		}
	default:
		os.Exit(64)
	}
}
